import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Slice, Warmup } from "../record/observation-record.ts";
import { joinedSlices, relativeSlices } from "../statistics/slices.ts";
import { type Flatness, steady } from "../statistics/steady.ts";

/** The rule by which a warm-up may end, and must end. */
export interface WarmupRule {
  /** The least work of each server. Function calls are so frequent that their CPU time is required as well. */
  readonly least: "enough-to-compile" | "enough-calls" | "nothing";
  readonly leastMs: number;
  readonly mostMs: number;
  /** Milliseconds of load that each server surely gets between this warm-up and its window; none by default. */
  readonly settleMs?: number;
  /**
   * `flat`: every server is shown to be steady. `not-moving`: none is seen to change: for servers that were flat alone and
   * have now so small a share of the core that a slice says little. `time`: at `leastMs`, steady or not.
   */
  readonly until: "flat" | "not-moving" | "time";
}

/** The progress of a warm-up. */
export interface WarmupSoFar {
  /** Milliseconds since the watch began. */
  readonly watchedMs: number;
  /** Milliseconds of load; minus infinity while its start is unknown. */
  readonly loadedMs: number;
  /** Milliseconds of load at the generator's end if it is ended now; null if the load continues. */
  readonly endsMs: number | null;
  /** Returns the work of each server. */
  slices(): readonly (readonly Slice[])[];
}

/** The end of a warm-up, with the judgement of its slices if they decided. */
export interface WarmupEnd {
  readonly ended: Warmup["ended"];
  readonly judged?: JudgedSlices;
}

/** Returns how a warm-up ends by its rule; null if it continues. */
export function warmupEnd(rule: WarmupRule, { watchedMs, loadedMs, endsMs, slices }: WarmupSoFar): WarmupEnd | null {
  // A load that has not begun is not given up: the generator has a time limit.
  if (watchedMs >= rule.mostMs && loadedMs > -Infinity) return { ended: "most" };
  if (rule.until === "time") return (endsMs ?? loadedMs) >= rule.leastMs ? { ended: "planned" } : null;
  if (loadedMs < rule.leastMs) return null;
  const taken = slices();
  const workAfter = (times: number) => Math.min(...taken.map((each) => workDone(each, rule.least, times)));
  const work = workAfter(1);
  if (work < 1) return null;
  const judged = judgedSlices(taken);
  const isMoving = judged.steadiness.includes("moving");
  if (rule.until === "flat" ? judged.steadiness.every((kind) => kind === "flat") : !isMoving) {
    return { ended: "steady", judged };
  }
  if (rule.least === "nothing") return null;
  // By its window a server will have answered more, at the rate so far or at a higher one.
  const byWindow = ((endsMs ?? loadedMs) + (rule.settleMs ?? 0)) / loadedMs;
  const isOver = isMoving
    ? work >= THRESHOLDS.warmupMostWork
    : Math.max(work, workAfter(byWindow)) >= THRESHOLDS.warmupUnseenWork;
  return isOver ? { ended: "most" } : null;
}

/** Returns the trend at the end of each server's slices, in the form of the record. */
export function judgedSlices(slices: readonly (readonly Slice[])[]): JudgedSlices {
  const ends = judgeWarmup(slices);
  return {
    judged_slices: slices[0]?.length ?? 0,
    steadiness: ends.map(({ kind }) => kind),
    changes: ends.map(({ change }) => change),
  };
}

type JudgedSlices = Pick<Warmup, "judged_slices" | "steadiness" | "changes">;

/** Returns the share of the work that engines need before they compile, 1 if it is enough, after so many times the requests. */
function workDone(slices: readonly Slice[], least: WarmupRule["least"], times: number): number {
  if (least === "nothing") return Infinity;
  const requests = times * slices.reduce((sum, slice) => sum + slice.requests, 0);
  const cpuMs = slices.reduce((sum, slice) => sum + slice.cpu_ns, 0) / 1e6;
  const work = warmupWork({ requests, cpuMs });
  return least === "enough-calls" ? Math.min(work, cpuMs / THRESHOLDS.warmupCallsCpuMs) : work;
}

/**
 * Judges if each server's CPU time per request had stopped changing at the end of a load they shared; of several,
 * against all of them.
 *
 * @param servers slices of each, equally many, the oldest first
 */
export function judgeWarmup(servers: readonly (readonly Slice[])[]): Flatness[] {
  return relativeSlices(joinedSlices(servers)).map((slices) => steady(slices, servers.length));
}

/**
 * Returns the share of the work that engines need before they compile the code of a request: 1 is enough.
 *
 * A number of requests is enough. If they take long, CPU time replaces most of them, but never the first few. If even
 * these take long, loops inside each request take most of its time, and are compiled by then.
 *
 * @param done so far: requests, and milliseconds of CPU time
 */
export function warmupWork({ requests, cpuMs }: { readonly requests: number; readonly cpuMs: number }): number {
  const byRequests = requests / THRESHOLDS.warmupLeastRequests;
  const slow = cpuMs * 1e6 >= requests * THRESHOLDS.warmupSlowRequestNs;
  const byTime = slow
    ? cpuMs / THRESHOLDS.warmupSlowCpuMs
    : Math.min(cpuMs / THRESHOLDS.warmupLeastCpuMs, requests / THRESHOLDS.warmupFewestRequests);
  return Math.max(byRequests, byTime);
}
