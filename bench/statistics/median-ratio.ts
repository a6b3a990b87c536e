import {
  type Better,
  checkRounds,
  isPositive,
  measuredRatio,
  type RatioEstimate,
  type RoundPair,
  unmeasuredRatio,
} from "./compare.ts";
import { binomialCdf } from "./distributions.ts";
import { estimateOf } from "./estimate.ts";
import { lack } from "./lacks.ts";
import { log } from "./logarithms.ts";
import { median, medianInterval } from "./median.ts";
import { type Interval, sampleOf } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Compares two cells by the median of the ratios of their values within each round. A p99 is often many times the usual
 * in one window, which moves a mean and no median.
 *
 * @throws RangeError when a round comes twice
 */
export function compareMedians(pairs: readonly RoundPair[], better: Better): RatioEstimate {
  checkRounds(pairs.map(({ round }) => round));
  const ratios = pairs.flatMap(({ over, under }) =>
    over === null || under === null ? [] : better === "higher" ? over / under : under / over
  );
  const n = ratios.length;
  const wrong = ratios.find((ratio) => !isPositive(ratio));
  if (wrong !== undefined) return unmeasuredRatio(n, lack("value-not-positive", { value: wrong, round: null }));
  if (n < 2) return unmeasuredRatio(n, lack("too-few-rounds", { n }));
  const estimate = estimateOf(sampleOf(ratios.map(log)));
  // Values in whole microseconds may be equal in all rounds.
  const error = Math.max(estimate.error, thresholds.leastSpread.value);
  return { ...measuredRatio({ ...estimate, error }), ratio: median(ratios), ratios };
}

/** Returns the exact interval of the median of some ratios; null if they are too few for the level. */
export function medianRatioInterval(ratios: readonly number[], level: number): Interval | null {
  const found = medianInterval(ratios, level);
  return found.kind === "bounded" ? { low: found.low, high: found.high, level } : null;
}

/**
 * Returns the p of a two-sided sign test against a median ratio within the margin: below alpha exactly if the interval
 * of {@link medianRatioInterval} with level 1 - alpha lies beyond it.
 *
 * @param delta the margin, as a fraction
 */
export function signsBeyondMargin(ratios: readonly number[], delta: number): number {
  const notAbove = ratios.filter((ratio) => ratio <= 1 + delta).length;
  const notBelow = ratios.filter((ratio) => ratio >= 1 / (1 + delta)).length;
  return Math.min(1, 2 * binomialCdf(Math.min(notAbove, notBelow), ratios.length, 0.5));
}
