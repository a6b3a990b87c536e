import { studentTQuantile } from "./distributions.ts";
import { mean, standardDeviation } from "./variation.ts";

/** Two ends of an interval and the confidence it has. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Confidence, e.g. 0.95. */
  readonly level: number;
}

/** Mean, sample standard deviation and number of independent values: all a t interval needs. */
export interface Sample {
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
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
 * The t interval of a mean: mean -+ t(1 - (1 - level)/2, n - 1) sd / sqrt(n) (Student, Biometrika 6/1, 1908).
 *
 * @param level confidence between 0 and 1
 * @throws RangeError when n is below two or the level out of range
 */
export function tInterval(sample: Sample, level: number): Interval {
  const reach = studentTQuantile(1 - (1 - level) / 2, sample.n - 1) * standardError(sample);
  return { low: sample.mean - reach, high: sample.mean + reach, level };
}

/** Standard error of the mean: sd / sqrt(n). */
export function standardError(sample: Sample): number {
  return sample.sd / Math.sqrt(sample.n);
}
