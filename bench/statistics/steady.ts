import { type Lack, lack } from "./lacks.ts";
import type { Slice } from "../record/observation-record.ts";
import { expm1, log, log1p } from "./logarithms.ts";
import { leastForInterval, shiftOf } from "./shift.ts";
import { costOf } from "./slices.ts";
import { type Interval, sampleOf, tInterval } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/**
 * The trend of a server's CPU time per request. `flat`: the whole interval of the change lies inside the limit.
 * `moving`: the interval excludes zero and the change is beyond the limit. Else `unknown`: noise never makes flat.
 */
export type Flatness =
  | {
    readonly kind: "flat" | "moving";
    /** Change of CPU per request as a share: -0.05 grew cheaper by 5 %. */
    readonly change: number;
    readonly interval: Interval;
  }
  | {
    readonly kind: "unknown";
    readonly change: number | null;
    readonly interval: Interval | null;
    readonly lack: Lack;
  };

/**
 * Judges if a server under load has stopped growing cheaper. Called after every slice of its warm-up until `flat`.
 *
 * It compares the two halves of a stretch: the last half of the warm-up so far, and at least eight slices. So the
 * stretch grows with the warm-up, and a slow server, or one with a twelfth of a core, is watched for long. Halves of
 * many slices are summed to sixteen parts each, which keeps the interval's assumption of independent values. The same
 * answer comes on a machine of half the speed: only ratios count, and slices.
 *
 * It cannot see:
 * - a plateau with a cliff to come, where the plateau outlasts the stretch. Node keeps its first level for 1 to 2 s and
 * then falls by 45 %: half of such warm-ups end on it, unless the caller first waits for the work that engines need.
 * - a slow fall: one by a seventh over 100 000 requests ends too early in a quarter of warm-ups.
 * - a fall that the machine makes up for by growing slower at the same time.
 *
 * Error rates include the repeated calls: steady-simulation.test.ts proves them.
 *
 * @param slices of one server, the oldest first, all of about the same length (0.1 to 0.25 s)
 * @param judged number of servers judged at once: the more, the sooner one of them seems to move by chance
 */
export function steady(slices: readonly Slice[], judged = 1): Flatness {
  const level = 1 - (1 - thresholds.steadyLevel.value) / judged;
  const enough = Math.max(thresholds.leastSlices.value, 2 * leastForInterval(level));
  if (slices.length < enough) return unknown(lack("slices-short", { n: slices.length, least: enough }));
  const half = Math.ceil(Math.max(enough, slices.length / 2) / 2);
  const costs = [slices.slice(-2 * half, -half), slices.slice(-half)].map((part) => logCosts(part));
  if (costs.flat().some((cost) => !Number.isFinite(cost))) return unknown(lack("empty-slice"));
  const { shift, interval } = shiftOf(costs[0]!, costs[1]!, level);
  return flatness(shift, interval, thresholds.steadyChange.value);
}

/**
 * Judges if a figure stayed the same inside its windows: the cost of one server, or the ratio of two. It takes the
 * logarithm of the change in each round and returns the mean change with its t interval.
 *
 * @param limit greatest change that counts as none, as a share
 */
export function flatnessOf(
  logChanges: readonly number[],
  limit: number = thresholds.steadyWindowChange.value,
): Flatness {
  const least = thresholds.leastRounds.value;
  const usable = logChanges.filter(Number.isFinite);
  if (usable.length < least) return unknown(lack("too-few-telling", { n: usable.length, least }));
  const sample = sampleOf(usable);
  return flatness(sample.mean, tInterval(sample, thresholds.steadyWindowLevel.value), limit);
}

/** Returns the most that a change may have been, in either direction, as a share: the figure may be off by that. */
export const greatestChange = ({ low, high }: Interval): number =>
  expm1(Math.max(...[low, high].map((edge) => Math.abs(log1p(edge)))));

/** Judges a change from its logarithm. */
function flatness(shift: number, logInterval: Interval | null, limit: number): Flatness {
  const change = expm1(shift);
  if (logInterval === null) {
    return { kind: "unknown", change, interval: null, lack: lack("no-interval") };
  }
  const interval = { ...logInterval, low: expm1(logInterval.low), high: expm1(logInterval.high) };
  const edge = log1p(limit);
  if (logInterval.low > -edge && logInterval.high < edge) return { kind: "flat", change, interval };
  if (Math.abs(shift) > edge && (logInterval.low > 0 || logInterval.high < 0)) {
    return { kind: "moving", change, interval };
  }
  return { kind: "unknown", change, interval, lack: lack("too-noisy") };
}

/** ln of CPU ns per request, in a limited number of parts of about equal length. */
function logCosts(slices: readonly Slice[]): number[] {
  const parts = Math.min(slices.length, thresholds.mostParts.value);
  return Array.from({ length: parts }, (_, n) => {
    const at = (part: number) => Math.round(part * slices.length / parts);
    return log(costOf(sumOf(slices.slice(at(n), at(n + 1)))) ?? NaN);
  });
}

function sumOf(slices: readonly Slice[]): Slice {
  return slices.reduce(
    (sum, { requests, cpu_ns }) => ({ requests: sum.requests + requests, cpu_ns: sum.cpu_ns + cpu_ns }),
    { requests: 0, cpu_ns: 0 },
  );
}

const unknown = (lack: Lack): Flatness => ({ kind: "unknown", change: null, interval: null, lack });
