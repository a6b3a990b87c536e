import { studentTQuantile } from "./distributions.ts";
import { mean, standardDeviation } from "./variation.ts";

/** Two ends of an interval and the confidence it has. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Confidence, e.g. 0.95. */
  readonly level: number;
}

/** Mean, sample standard deviation and number of independent values. */
export interface Sample {
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
}

/** A mean, its standard error and the degrees of freedom of that: all a t interval needs. */
export interface Mean {
  readonly mean: number;
  readonly error: number;
  /** A whole number of at least 1. */
  readonly degrees: number;
}

/**
 * Mean, sample standard deviation and number of the values.
 *
 * @throws RangeError with fewer than two values
 */
export function sampleOf(values: readonly number[]): Sample {
  return { n: values.length, mean: mean(values), sd: standardDeviation(values) };
}

/**
 * The t interval of a mean: mean -+ t(1 - (1 - level)/2, degrees) x standard error (Student, Biometrika 6/1, 1908).
 *
 * @param level confidence between 0 and 1
 * @throws RangeError when there are no degrees of freedom or the level is out of range
 */
export function tInterval(of: Sample | Mean, level: number): Interval {
  const { mean, error, degrees } = "sd" in of ? { ...of, error: standardError(of), degrees: of.n - 1 } : of;
  const reach = studentTQuantile(1 - (1 - level) / 2, degrees) * error;
  return { low: mean - reach, high: mean + reach, level };
}

/** Standard error of the mean: sd / sqrt(n). */
export function standardError(sample: Sample): number {
  return sample.sd / Math.sqrt(sample.n);
}
