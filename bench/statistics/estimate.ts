import { studentTTwoSided } from "./distributions.ts";
import { exp } from "./logarithms.ts";
import { type Interval, type Mean, type Sample, standardError, tInterval } from "./t-interval.ts";

/** The speed of one cell over another's as a natural logarithm, ln(speed of `over` / speed of `under`): its mean. */
export interface Estimate extends Mean {
  /** Independent values it rests on: rounds, or runs of the side with fewer. */
  readonly n: number;
}

/** The estimate that independent log ratios give by themselves: one a round, n - 1 degrees of freedom. */
export function estimateOf(sample: Sample): Estimate {
  return { n: sample.n, mean: sample.mean, error: standardError(sample), degrees: sample.n - 1 };
}

/**
 * The t interval of an estimate, as ratios.
 *
 * @param level confidence, e.g. 0.95
 * @throws RangeError when the level is out of range
 */
export function ratioInterval({ mean, error, degrees }: Estimate, level: number): Interval {
  const { low, high } = tInterval({ mean, error, degrees }, level);
  return { low: exp(low), high: exp(high), level };
}

/** Two-sided p of the t test against a ratio of exactly 1. */
export function twoSidedP({ mean, error, degrees }: Estimate): number {
  return studentTTwoSided(mean / error, degrees);
}

/**
 * Returns an estimate for another number of rounds, with the same mean and spread. Null if no degree of freedom is
 * left.
 */
export function afterRounds({ n, mean, error, degrees }: Estimate, rounds: number): Estimate | null {
  const later = degrees + rounds - n;
  return later < 1 ? null : { n: rounds, mean, error: error * Math.sqrt(n / rounds), degrees: later };
}
