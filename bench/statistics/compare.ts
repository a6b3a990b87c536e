import { type Lack, lack } from "./lacks.ts";
import { type Estimate, estimateOf } from "./estimate.ts";
import { exp, log } from "./logarithms.ts";
import { sampleOf } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/** The values of two cells in one round, in one unit; `null` where a round has no valid one. */
export interface RoundPair {
  readonly round: number;
  readonly over: number | null;
  readonly under: number | null;
}

/** The better direction of a figure: `higher` for req/s, `lower` for CPU ns per request. */
export type Better = "higher" | "lower";

/** The speed of one cell over that of another. */
export interface MeasuredRatio {
  readonly kind: "measured";
  /** Rounds in which both cells have a value, or runs of the side with fewer. */
  readonly n: number;
  /** Speed of `over` over speed of `under`: geometric mean, or median of `ratios`. */
  readonly ratio: number;
  /** ln of the ratio, and how sure it is. */
  readonly logRatio: Estimate;
  /** The ratio of each round, if the ratio is their median. */
  readonly ratios?: readonly number[];
}

/** Two cells that could not be compared, and why. */
export interface UnmeasuredRatio {
  readonly kind: "unmeasured";
  readonly n: number;
  readonly lack: Lack<"too-few-rounds" | "too-few-a-side" | "value-not-positive" | "no-spread">;
}

/** See {@link MeasuredRatio} and {@link UnmeasuredRatio}. */
export type RatioEstimate = MeasuredRatio | UnmeasuredRatio;

/**
 * Compares two cells by the ratios of their values within each round: a paired t test on logarithms.
 *
 * Influences common to a round (a drifting clock, a busy neighbour) cancel in the ratio. Logarithms make faster and
 * slower symmetric; their mean gets a t interval, as rounds are independent and a mean of logs of averages over
 * thousands of requests is near normal. The ratio is thus a geometric mean (Fleming and Wallace, CACM 29/3, 1986).
 *
 * @throws RangeError when a round comes twice
 */
export function compareRounds(pairs: readonly RoundPair[], better: Better): RatioEstimate {
  checkRounds(pairs.map(({ round }) => round));
  const complete = pairs.flatMap(({ round, over, under }) =>
    over === null || under === null ? [] : [{ round, over, under }]
  );
  const n = complete.length;
  const wrong = complete.find(({ over, under }) => !isPositive(over) || !isPositive(under));
  if (wrong !== undefined) {
    const value = isPositive(wrong.over) ? wrong.under : wrong.over;
    return unmeasuredRatio(n, lack("value-not-positive", { value, round: wrong.round }));
  }
  if (n < 2) return unmeasuredRatio(n, lack("too-few-rounds", { n }));
  const sample = sampleOf(complete.map(({ over, under }) => log(better === "higher" ? over / under : under / over)));
  if (sample.sd < thresholds.leastSpread.value) {
    return unmeasuredRatio(n, lack("no-spread"));
  }
  return measuredRatio(estimateOf(sample));
}

/**
 * Compares two cells measured apart, one value a run, where no run of one side belongs to a run of the other: Welch's t
 * test on the logarithms (Welch, Biometrika 34, 1947). The values must be of whole runs: rounds of one run share what
 * that run was like, so their spread says nothing about the next run.
 *
 * Changes between the sides other than the cells do not cancel here: the caller must allow for them in the margin.
 */
export function compareUnpaired(over: readonly number[], under: readonly number[], better: Better): RatioEstimate {
  const n = Math.min(over.length, under.length);
  const wrong = [...over, ...under].find((value) => !isPositive(value));
  if (wrong !== undefined) {
    return unmeasuredRatio(n, lack("value-not-positive", { value: wrong, round: null }));
  }
  if (n < 2) return unmeasuredRatio(n, lack("too-few-a-side", { n }));
  const [of, to] = [sampleOf(over.map(log)), sampleOf(under.map(log))];
  const [one, other] = [of.sd ** 2 / of.n, to.sd ** 2 / to.n];
  const error = Math.sqrt(one + other);
  if (error < thresholds.leastSpread.value) return unmeasuredRatio(n, lack("no-spread"));
  // Rounded down, as tables of t are read: a little wider, never narrower.
  const degrees = Math.max(
    1,
    Math.floor((one + other) ** 2 / (one ** 2 / (of.n - 1) + other ** 2 / (to.n - 1)) + 1e-9),
  );
  return measuredRatio({ n, mean: (of.mean - to.mean) * (better === "higher" ? 1 : -1), error, degrees });
}

/** A ratio from its estimate. */
export function measuredRatio(logRatio: Estimate): MeasuredRatio {
  return { kind: "measured", n: logRatio.n, ratio: exp(logRatio.mean), logRatio };
}

/** A ratio that could not be had. */
export const unmeasuredRatio = (n: number, lack: UnmeasuredRatio["lack"]): UnmeasuredRatio => ({
  kind: "unmeasured",
  n,
  lack,
});

/** True if a value has a logarithm. */
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
