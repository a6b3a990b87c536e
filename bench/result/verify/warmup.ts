import type { Plan } from "../../record/plan.ts";
import { joinedSlices, LEAST_REQUESTS } from "../../statistics/slices.ts";
import { type Slice, steady } from "../../statistics/steady.ts";
import { thresholds } from "../../statistics/thresholds.ts";
import { THRESHOLDS } from "../../judge/thresholds.ts";
import { SETTLE_IN_TURNS_MS, SETTLE_TOGETHER_MS } from "../../core/warm-up-lengths.ts";
import type { Warmup } from "../../record/observation-record.ts";
import type { Claim } from "./claim.ts";

/** Milliseconds a generator needs to start and to hear that it is to end: what its clock may lack of the driver's. */
const START_MS = 100;

/**
 * How a warm-up is said to have ended has to be what its curves were said to be, what the plan lets it end by, and what
 * its curves show.
 *
 * @param way how servers were loaded: of one alone work is asked for
 * @param servers how many were loaded
 * @param listed how many the observation was to have
 * @param cpus CPUs they could be on at once
 */
export function warmupFaults(
  warmup: Warmup | null,
  way: "alone" | "at once" | "in turns",
  servers: number,
  listed: number,
  cpus: number,
  plan: Plan,
  claim: Claim,
): void {
  if (warmup === null) return;
  const { ended, curves, steadiness, slice_ms, duration_us } = warmup;
  // One that was left out keeps its place, without a slice.
  const told = curves.filter((curve) => curve.length > 0).length;
  const whole = curves.length === listed && (servers === 0 || told <= servers);
  claim(curves.length === steadiness.length && (whole || curves.length === servers), "a warm-up lacks a curve");
  const alone = way === "alone";
  const { kind } = plan.warmup;
  claim(
    ended === "most" || (ended === "planned") === (kind === "fixed"),
    `a warm-up ended "${ended}" and is ${kind} in the plan`,
  );
  const ms = duration_us / 1e3;
  const longest = Math.max(0, ...curves.map((curve) => curve.length));
  // Timers come late, or a millisecond early; the last slice ends after the load.
  claim((longest - 1) * (slice_ms - 1) <= ms + START_MS, "a warm-up has more slices than it had time for");
  const leastMs = alone ? 0 : servers * (way === "in turns" ? SETTLE_IN_TURNS_MS : SETTLE_TOGETHER_MS);
  claim(ms >= leastMs - START_MS, "a warm-up together is shorter than its least");
  if (plan.warmup.kind === "fixed" && ended === "planned") {
    claim(ms >= plan.warmup.ms - START_MS, "a warm-up is shorter than planned");
  }
  if (plan.warmup.kind === "steady" && ended !== "planned") {
    const most = Math.max(plan.warmup.most_ms, 2 * leastMs) + slice_ms;
    // The generator is given two seconds more to end by itself.
    claim(ms <= most + 2_000, "a warm-up is longer than the most");
  }
  if (ended !== "steady") return;
  // Of servers that were flat alone it is enough that none is seen to change beside the others.
  const settled = steadiness.every((kind) => alone ? kind === "flat" : kind !== "moving");
  claim(settled, "a warm-up is called steady whose cost was not");
  const least = thresholds.leastSlices.value;
  const seen = Math.min(...curves.map((curve) => curve.filter((cost) => cost !== null).length));
  claim(!alone || seen >= least, `a warm-up is called steady by fewer than ${least} slices`);
  if (!alone) return;
  claim(mostWork(warmup, cpus) >= 1, "a warm-up is called steady before engines had compiled");
  for (const curve of curves) {
    claim(!isMoving(curve, warmup.requests), "a warm-up is called steady, and its curve is not");
  }
}

/**
 * At most so much of what engines ask for before they compile can have been done, whatever each slice held. The fewest
 * requests are left out, which not all runs that are sound were asked for.
 */
function mostWork({ curves, requests, duration_us }: Warmup, cpus: number): number {
  const costs = curves.flat().filter((cost) => cost !== null);
  const most = Math.max(0, ...costs);
  const cpuMs = Math.min(cpus * duration_us / 1e3, most * requests / 1e6);
  const asked = most >= THRESHOLDS.warmupSlowRequestNs ? THRESHOLDS.warmupSlowCpuMs : THRESHOLDS.warmupLeastCpuMs;
  return Math.max(requests / THRESHOLDS.warmupLeastRequests, cpuMs / asked);
}

/** Slices known only once the load had ended, which nobody had seen when the warm-up was said to be steady. */
const LATER_SLICES = 4;

/**
 * What a slice held may be so many times what its cost lets expect: a count is told between two moments, and is a few
 * requests off. With these none of 4800 made-up warm-ups of 2 to 40 ms a request is called faulty (warmup.test.ts has
 * such), with none 54 are.
 */
const HELD = Array.from({ length: 31 }, (_, n) => 0.5 + n / 20);

/**
 * Whether a curve was moving at each moment at which it may have been judged, whether its slices held equal requests or
 * equal CPU time, and whichever of them were joined for holding too few requests: what each held is not told.
 *
 * @param requests of all its slices
 */
function isMoving(curve: readonly (number | null)[], requests: number): boolean {
  const costs = curve.filter((cost) => cost !== null && cost > 0) as number[];
  const perNs = requests / costs.reduce((sum, cost) => sum + 1 / cost, 0);
  const byTime = costs.map((cost): Slice => ({ requests: perNs / cost, cpuNs: perNs }));
  const few = byTime.some((slice) => slice.requests < Math.max(...HELD) * LEAST_REQUESTS);
  const joined = few ? HELD.map((share) => joinedSlices([byTime], share * LEAST_REQUESTS)[0]!) : [];
  const byRequests = costs.map((cost): Slice => ({ requests: 1, cpuNs: cost }));
  return [byRequests, byTime, ...joined].every((slices) => {
    // By fewer none is steady.
    const latest = slices.length - Math.max(thresholds.leastSlices.value, slices.length - LATER_SLICES);
    for (let later = 0; later <= latest; later++) {
      if (steady(slices.slice(0, slices.length - later)).kind !== "moving") return false;
    }
    return true;
  });
}
