import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { fileTree } from "./readings.ts";
import { parseCpuTimes } from "./linux/proc-text.ts";

/** Busy and stolen time of each CPU so far, by its id. */
type CpuTimes = ReadonlyMap<number, { readonly busyNs: number; readonly stealNs: number }>;

/** Length of a watched stretch, and the number of quiet ones in a row that are enough. */
const STRETCH_MS = 2_000, ENOUGH = 2;

/**
 * Watches CPUs without work of a run until they are quiet: other processes then use less of each than voids an observation.
 *
 * @param wanted ids of CPUs; null for all
 * @param report receives the share of the busiest CPU after each stretch
 * @param over ends it early
 */
export async function untilQuiet(
  wanted: readonly number[] | null,
  report: (share: number) => void,
  over: AbortSignal,
): Promise<void> {
  let quiet = 0, before = cpuTimes(), startedMs = performance.now();
  while (quiet < ENOUGH && !over.aborted) {
    await sleep(STRETCH_MS, undefined, { signal: over }).catch(() => {});
    const after = cpuTimes(), nowMs = performance.now();
    const share = mostBusyShare(before, after, nowMs - startedMs, wanted);
    quiet = share <= THRESHOLDS.contendedShare ? quiet + 1 : 0;
    report(share);
    [before, startedMs] = [after, nowMs];
  }
}

/** Share of the time that the busiest of some CPUs was busy or stolen between two readings; null takes all. */
export function mostBusyShare(
  before: CpuTimes,
  after: CpuTimes,
  elapsedMs: number,
  wanted: readonly number[] | null,
): number {
  const shares = [...after].map(([id, { busyNs, stealNs }]) => {
    const earlier = before.get(id);
    const counts = earlier !== undefined && (wanted === null || wanted.includes(id));
    return counts ? (busyNs - earlier.busyNs + stealNs - earlier.stealNs) / (elapsedMs * 1e6) : 0;
  });
  return Math.max(0, ...shares);
}

function cpuTimes(): CpuTimes {
  const known = process.platform === "linux" ? parseCpuTimes(fileTree("/").lineOr("proc/stat")) : undefined;
  return known ?? new Map(
    cpus().map(({ times: { user, nice, sys, irq } }, id) => [
      id,
      { busyNs: (user + nice + sys + irq) * 1e6, stealNs: 0 },
    ]),
  );
}
