import { type Estimate, estimateOf } from "./estimate.ts";
import { exp, log } from "./logarithms.ts";
import { sampleOf } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/** The values of two cells in one round, in one unit; `null` where a round has no valid one. */
export interface RoundPair {
  readonly round: number;
  readonly a: number | null;
  readonly b: number | null;
}

/** Whether more is better (req/s) or less is (CPU ns per request). */
export type Better = "higher" | "lower";

/** Two cells compared: `ratio` says how many times as fast as b is a. */
export interface MeasuredComparison {
  readonly kind: "measured";
  /** Rounds in which both cells have a value, or runs of the side with fewer. */
  readonly n: number;
  /** Speed of a over speed of b: geometric mean. Above 1, a is faster. */
  readonly ratio: number;
  /** ln of the ratio, and how sure it is. */
  readonly logRatio: Estimate;
}

/** Two cells that could not be compared, and why. */
export interface UnmeasuredComparison {
  readonly kind: "unmeasured";
  readonly n: number;
  readonly cause: "too-few-rounds" | "value-not-positive" | "no-spread";
  readonly reason: string;
}

export type Comparison = MeasuredComparison | UnmeasuredComparison;

/**
 * Compares two cells by the ratios of their values within each round: a paired t test on logarithms.
 *
 * What is common to a round (a drifting clock, a busy neighbour) cancels in the ratio. Logarithms make faster and
 * slower symmetric; their mean gets a t interval, as rounds are independent and a mean of logs of averages over
 * thousands of requests is near normal. The ratio is thus a geometric mean (Fleming and Wallace, CACM 29/3, 1986).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareRounds } from "levelfield/statistics";
 * const rates = [[110, 100], [121, 111], [98, 89], [105, 96]] as const;
 * const compared = compareRounds(rates.map(([a, b], round) => ({ round, a, b })), "higher");
 * assert.ok(compared.kind === "measured" && Math.abs(compared.ratio - 1.1) < 0.01);
 * ```
 *
 * @throws RangeError when a round comes twice
 */
export function compare(pairs: readonly RoundPair[], better: Better): Comparison {
  checkRounds(pairs.map(({ round }) => round));
  const complete = pairs.flatMap(({ round, a, b }) => a === null || b === null ? [] : [{ round, a, b }]);
  const n = complete.length;
  const wrong = complete.find(({ a, b }) => !isPositive(a) || !isPositive(b));
  if (wrong !== undefined) {
    const value = isPositive(wrong.a) ? wrong.b : wrong.a;
    return unmeasured(n, "value-not-positive", `round ${wrong.round} has the value "${value}", which is not positive`);
  }
  if (n < 2) return unmeasured(n, "too-few-rounds", `${n} of the two rounds a comparison needs`);
  const sample = sampleOf(complete.map(({ a, b }) => log(better === "higher" ? a / b : b / a)));
  if (sample.sd < thresholds.leastSpread.value) {
    return unmeasured(n, "no-spread", "every round gave the same ratio: the values look copied, not measured");
  }
  return measured(estimateOf(sample));
}

/**
 * Compares two cells measured apart, one value a run, where no run of one side belongs to a run of the other: Welch's t
 * test on the logarithms (Welch, Biometrika 34, 1947). The values must be of whole runs: rounds of one run share what
 * that run was like, so their spread says nothing about the next run.
 *
 * What changed between the sides besides the cells does not cancel here; the caller must allow for it in the margin.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareUnpaired } from "levelfield/statistics";
 * const compared = compareUnpaired([2.0, 2.1, 1.9], [1.0, 1.1, 0.9], "lower");
 * assert.ok(compared.kind === "measured" && compared.ratio < 1, "a takes twice the time of b");
 * ```
 */
export function compareUnpaired(a: readonly number[], b: readonly number[], better: Better): Comparison {
  const n = Math.min(a.length, b.length);
  const wrong = [...a, ...b].find((value) => !isPositive(value));
  if (wrong !== undefined) {
    return unmeasured(n, "value-not-positive", `a value is "${wrong}", which is not positive`);
  }
  if (n < 2) return unmeasured(n, "too-few-rounds", `${n} of the two values a side that a comparison needs`);
  const [of, to] = [sampleOf(a.map(log)), sampleOf(b.map(log))];
  const [va, vb] = [of.sd ** 2 / of.n, to.sd ** 2 / to.n];
  const error = Math.sqrt(va + vb);
  if (error < thresholds.leastSpread.value) return unmeasured(n, "no-spread", "the values look copied, not measured");
  // Rounded down, as tables of t are read: a little wider, never narrower.
  const degrees = Math.max(1, Math.floor((va + vb) ** 2 / (va ** 2 / (of.n - 1) + vb ** 2 / (to.n - 1)) + 1e-9));
  return measured({ n, mean: (of.mean - to.mean) * (better === "higher" ? 1 : -1), error, degrees });
}

/** A comparison from its estimate. */
export function measured(logRatio: Estimate): MeasuredComparison {
  return { kind: "measured", n: logRatio.n, ratio: exp(logRatio.mean), logRatio };
}

/** A comparison that could not be made. */
export function unmeasured(n: number, cause: UnmeasuredComparison["cause"], reason: string): UnmeasuredComparison {
  return { kind: "unmeasured", n, cause, reason };
}

/** Whether a value has a logarithm. */
export function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}

/**
 * Refuses rounds given twice.
 *
 * @throws RangeError naming the round
 */
export function checkRounds(rounds: readonly number[]): void {
  const seen = new Set<number>();
  for (const round of rounds) {
    if (seen.has(round)) throw new RangeError(`Round "${round}" comes twice`);
    seen.add(round);
  }
}
