import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import type { At, Suite } from "../../suites/suite.ts";
import { MAIN } from "../record/cell.ts";
import { failure } from "../basics/errors.ts";
import { probeOf } from "../plan/points.ts";
import type { Observation } from "../record/observation-record.ts";
import { type Interrupts, interruptsOf } from "../machine/interrupts.ts";
import { withMachine } from "../process/scratch-folder.ts";
import { dataFolder } from "../runtimes/project-folders.ts";
import { inspectRuntime } from "../runtimes/runtimes.ts";
import { onHosts } from "./connect-hosts.ts";
import type { HostOptions } from "../plan/plan-actions.ts";
import { equip } from "./equip.ts";
import { observeOnce } from "./observe-once.ts";
import { preparePoints } from "./prepare-files.ts";
import type { Hosts } from "./sample-load.ts";

/** One point to measure once. */
export interface PointRequest {
  readonly suite: Suite;
  /** Values of some axes; the others have those of the suite's probe point. */
  readonly at?: At;
  /** Whole seconds in milliseconds; 3 000 by default. */
  readonly durationMs?: number;
  /** Load before the window in milliseconds; by default until the server is steady. */
  readonly warmupMs?: number;
  /** Seed of the requests drawn; 1 by default. */
  readonly seed?: number;
  /** The folder for files of servers; by default that of the command line. */
  readonly dataDirectory?: string;
  /** The hosts of server and load generator: this machine by default; see docs/two-machines.md. */
  readonly hosts?: HostOptions;
  /** Ends the running processes and drops the observation. */
  readonly signal?: AbortSignal;
}

/**
 * Makes one observation of one point with everything a run gives it: pinning, oracle, warm-up, counters. Rates are requests
 * a second, latencies microseconds, CPU time nanoseconds, as the names of the record's fields say.
 *
 * ```ts measures
 * import { formatRate, measurePoint, suiteNamed } from "levelfield";
 * const suite = suiteNamed("routes")!;
 * const observation = await measurePoint({ suite, at: { runtime: "bun" }, durationMs: 1_000, warmupMs: 1_000 });
 * if (observation.status === "ok") console.log(formatRate(observation.load!.requests_per_second), observation.bound);
 * else console.log(observation.marks);
 * ```
 *
 * @throws BenchError when another run has the machine (of this process, too), a tool is missing, the point cannot be, its
 * files cannot be built or a host is gone; what the server does wrong is in the record
 * @throws the signal's reason when it is aborted
 */
export async function measurePoint(request: PointRequest): Promise<Observation> {
  const { signal = new AbortController().signal } = request;
  signal.throwIfAborted();
  const interrupts = interruptsOf(signal);
  return await withMachine(interrupts, async () => {
    const observation = await onHosts(request.hosts ?? {}, (hosts) => observePoint(request, hosts, interrupts));
    signal.throwIfAborted();
    return observation;
  });
}

async function observePoint(request: PointRequest, hosts: Hosts, interrupts: Interrupts): Promise<Observation> {
  const { suite } = request;
  const point = { suite: suite.name, at: { ...probeOf(suite), ...request.at } };
  const supported = suite.supports?.(point) ?? true;
  if (supported !== true) throw failure(`suite "${suite.name}" cannot measure this point: ${supported}`);
  const binding = suite.axes.find(({ binds }) => binds === "runtime");
  const wanted = binding && RUNTIME_NAMES.find((name) => name === point.at[binding.name]);
  if (binding !== undefined && wanted === undefined) {
    throw failure(`unknown runtime "${point.at[binding.name]}"`, `known are ${RUNTIME_NAMES.join(", ")}`);
  }
  const runtimes = wanted === undefined ? [] : [await inspectRuntime(wanted)];
  const equipment = await equip({ generator: "wrk", threads: null }, {}, runtimes, hosts);
  const { onStart } = interrupts;
  const dataDirectory = request.dataDirectory ?? dataFolder();
  const files = await preparePoints({ suite, points: [point], hosts, dataDirectory, onStart });
  request.signal?.throwIfAborted();
  if (files.failed !== null) throw failure(files.failed, "bench all --prepare");
  return await observeOnce({
    suite,
    cells: [{ point, label: MAIN }],
    files,
    round: 0,
    drawSeed: request.seed ?? 1,
    durationMs: request.durationMs ?? 3_000,
    warmup: request.warmupMs === undefined ? undefined : { kind: "fixed", ms: request.warmupMs, loads: 1 },
    onStart,
  }, equipment);
}
