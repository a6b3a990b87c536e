import type { InnerSample, ProcessSample, Reading } from "../../record/samples.ts";
import { cpuNsBetween } from "./cpu-time.ts";
import type { InnerWindow } from "./inner-window.ts";
import { MISSING, type Readings } from "./readings.ts";

/** CPU time of servers and generator inside the window, in nanoseconds; null if it is not known. */
export interface ProcessUse {
  readonly serverNs: number | null;
  readonly generatorNs: number | null;
  /** The busiest thread of each side. */
  readonly busiestServerNs: number | null;
  readonly busiestGeneratorNs: number | null;
  /** All services together; null if there is none, and where it is not known. */
  readonly serviceNs: number | null;
  /** CPUs' worth of time of services and of their busiest thread, by the clock of their machine. */
  readonly serviceCores: number | null;
  readonly busiestService: number | null;
  /** The longest wait of a server's thread for a CPU. */
  readonly waitNs: number | null;
}

type Pair = readonly [from: ProcessSample, to: ProcessSample];

/** Returns the CPU time of servers and generator between the early and the late moment. */
export function processUse(window: InnerWindow): ProcessUse {
  const { readings, windowNs, early, part, late } = window;
  const inside = [early, part, late].flatMap((at) => at === null ? [] : [at.servers]);
  return {
    serverNs: windowNs === null ? null : serversNsAlong(readings, "server_share", inside),
    generatorNs: between(
      window,
      "generator_share",
      "generator",
      (pairs) => sum(pairs, (pair) => cpuNsBetween(...pair)),
    ),
    busiestGeneratorNs: between(window, "generator_share", "generator", busiestThreadNs),
    serviceNs: ofServices(window, (pairs) => sum(pairs, (pair) => cpuNsBetween(...pair))),
    serviceCores: ofServices(window, (pairs) => sum(pairs, (pair) => cpuNsBetween(...pair) / elapsedNs(pair))),
    busiestService: ofServices(
      window,
      (pairs) => Math.max(0, ...pairs.map((pair) => busiestThreadNs([pair]) / elapsedNs(pair))),
    ),
    waitNs: readings.reported("server_wait_share", between(window, "server_wait_share", "servers", longestWaitNs)),
    busiestServerNs: between(window, "server_thread_share", "servers", busiestThreadNs),
  };
}

const elapsedNs = ([from, to]: Pair): number => 1e6 * (to.atMs - from.atMs);
const sum = (pairs: readonly Pair[], of: (pair: Pair) => number) => pairs.reduce((all, pair) => all + of(pair), 0);

const ofServices = (window: InnerWindow, compute: (pairs: readonly Pair[]) => number): number | null =>
  window.early?.services === undefined ? null : between(window, "service_share", "services", compute);

/** CPU time of all servers along some moments: that of a longer stretch is the sum of its parts, however it is parted. */
export function serversNsAlong(
  readings: Readings,
  name: string,
  moments: readonly (readonly Reading<ProcessSample>[])[],
): number | null {
  const servers = moments[0]?.length ?? 0;
  return readings.figure(
    name,
    moments.flat(),
    (values) => values.slice(servers).reduce((sum, to, n) => sum + cpuNsBetween(values[n]!, to), 0),
  );
}

function between<T>(
  { readings, windowNs, early, late }: InnerWindow,
  name: string,
  of: "servers" | "generator" | "services",
  compute: (pairs: readonly Pair[]) => T,
): T | null {
  if (windowNs === null) {
    readings.unreadable[name] = readings.unreadable["share_window_ns"]!;
    return null;
  }
  const at = (sample: InnerSample | null) => sample === null ? [MISSING] : [sample[of] ?? []].flat();
  const [from, to] = [at(early), at(late)];
  return readings.figure(
    name,
    [...from, ...to],
    (values) => compute(from.map((_, n) => [values[n]!, values[from.length + n]!] as const)),
  );
}

function busiestThreadNs(pairs: readonly Pair[]): number {
  return Math.max(
    0,
    ...pairs.flatMap(([from, to]) =>
      [...to.threads].map(([tid, { cpuNs }]) => cpuNs - (from.threads.get(tid)?.cpuNs ?? cpuNs))
    ),
  );
}

/** Null if one of the threads reports none. */
function longestWaitNs(pairs: readonly Pair[]): number | null {
  let most = 0;
  for (const [from, to] of pairs) {
    for (const [tid, { waitNs }] of to.threads) {
      if (waitNs === null) return null;
      most = Math.max(most, waitNs - (from.threads.get(tid)?.waitNs ?? waitNs));
    }
  }
  return most;
}
