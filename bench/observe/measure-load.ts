import { type Counters, countersOf, cpuNs, cpuNsAlong } from "../core/counters.ts";
import type { Warmup } from "../core/result/observation-record.ts";
import { type ProcessSample, type Reading, valueOf } from "../core/samples.ts";
import { sentBy } from "../core/slices.ts";
import type { Slice } from "../core/statistics/steady.ts";
import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import type { Machine } from "../host/machine.ts";
import { sum } from "./findings.ts";
import { type GeneratorSite, startLoad } from "./load-process.ts";
import { type LoadSample, sampleLoad, sampleServers } from "./sample-load.ts";

/** Where inside the window shares are read: after the generator's start, before its end. */
const EARLY = 0.15;
const LATE = 0.9;
/** Where a window is parted to see whether servers were warm: what comes before and after is compared. */
export const PART = 1 / 3;

/** What one server did in the measured window. */
export interface ServerWindow {
  /** Replies: counted where it is alone, else requests sent, of which as many are unanswered at either end. */
  readonly requests: number;
  /** CPU time in nanoseconds; null where it cannot be read. */
  readonly cpuNs: number | null;
  /** The window's first third and what follows it; null where not sampled. */
  readonly parts: readonly [head: Slice, tail: Slice] | null;
}

/** A finished load with what the system showed of it. */
export interface MeasuredLoad {
  readonly result: LoadResult;
  readonly counters: Counters;
  /** In the order of the process ids. */
  readonly windows: readonly ServerWindow[];
  /** What went before the window in the same load; null where the window is all of it. */
  readonly warmup: Warmup | null;
  /** CPUs' worth of time the generator used inside the window, all its threads; null where it cannot be read. */
  readonly generatorCores: number | null;
  /** CPUs each generator thread may use, read back; null where it cannot be read. */
  readonly generatorThreadCpus: readonly string[] | null;
}

/** The servers under load and where both sides run. */
export interface LoadSite extends GeneratorSite {
  readonly machine: Machine;
  /** Null for one whose process is not known. */
  readonly serverPids: readonly (number | null)[];
  readonly serverCpus: readonly number[] | null;
  /** Told of each generator process, so that an interrupt can end it. */
  readonly onStart: (kill: () => void) => void;
}

/** CPUs' worth of time a process used between two readings. */
export function coresBetween(from: Reading<ProcessSample>, to: Reading<ProcessSample>): number | null {
  const ns = cpuNs(from, to);
  return ns === null || !("value" in from && "value" in to) ? null : ns / (1e6 * (to.value.atMs - from.value.atMs));
}

/**
 * Puts a load on one server and reads the system before, three times during and after it. Between those moments it sleeps.
 *
 * @param connections of the load
 */
export async function measureLoad(
  plan: LoadPlan,
  connections: number,
  site: LoadSite,
): Promise<MeasuredLoad | { failed: string }> {
  const { machine } = site;
  const systemBefore = machine.sampleSystem();
  const serversBefore = sampleServers(site);
  const load = startLoad(site, plan);
  site.onStart(() => load.child.killAll());

  const inner: { early: LoadSample | null; part: LoadSample | null; late: LoadSample | null } = {
    early: null,
    part: null,
    late: null,
  };
  let generatorThreadCpus: readonly string[] | null = null;
  const sample = () => sampleLoad(site, load.child.pid);
  const timers = [
    setTimeout(() => {
      generatorThreadCpus = valueOf(machine.threadCpus(load.child.pid));
      inner.early = sample();
    }, plan.durationMs * EARLY),
    setTimeout(() => inner.part = sample(), plan.durationMs * PART),
    setTimeout(() => inner.late = sample(), plan.durationMs * LATE),
  ];
  const result = await load.result;
  for (const timer of timers) clearTimeout(timer);
  if ("failed" in result) return result;

  const serversAfter = sampleServers(site);
  const systemAfter = machine.sampleSystem();
  const { early, part, late } = inner;
  /** Requests answered by a moment: each connection has one in flight, sent and as a rule not answered. */
  const answeredBy = ({ atUs }: LoadSample) =>
    Math.max(0, sum(result.threads.map((own) => sentBy(own.slots, result.slotUs, own.startedUs, atUs))) - connections);
  /** CPU time of the n-th server along some moments; null where one of them could not be read. */
  const along = (n: number, moments: readonly (readonly Reading<ProcessSample>[] | null)[]) =>
    cpuNsAlong(moments.flatMap((servers) => servers?.[n] ?? []));
  const [atEarly = null, atPart = null, atLate = null] = [early, part, late].map((at) => at?.servers ?? null);
  const partsOf = (n: number): ServerWindow["parts"] => {
    if (part === null || late === null || result.threads.length === 0) return null;
    const head = { requests: answeredBy(part), cpuNs: along(n, [serversBefore, atEarly, atPart]) };
    const tail = {
      requests: Math.min(result.requests, answeredBy(late)) - head.requests,
      cpuNs: along(n, [atPart, atLate]),
    };
    return tail.requests >= 0 && isSlice(head) && isSlice(tail) ? [head, tail] : null;
  };
  return {
    result,
    counters: countersOf({
      serversBefore,
      serversAfter,
      systemBefore,
      systemAfter,
      early,
      part,
      late,
      serverCpus: site.serverCpus,
      loadCpus: site.loadCpus,
      requests: result.requests,
    }),
    windows: serversBefore.map((_, n) => ({
      requests: result.requests,
      cpuNs: along(n, [serversBefore, atEarly, atPart, atLate, serversAfter]),
      parts: partsOf(n),
    })),
    warmup: null,
    generatorCores: early && late && coresBetween(early.generator, late.generator),
    generatorThreadCpus,
  };
}

/** Whether the CPU time of a part could be read. */
export const isSlice = (part: { readonly requests: number; readonly cpuNs: number | null }): part is Slice =>
  part.cpuNs !== null;
