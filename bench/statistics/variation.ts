import { type Lack, lack } from "./lacks.ts";

/** The sum; 0 of no values. */
export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/**
 * The arithmetic mean.
 *
 * @throws RangeError when there are no values
 */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("The mean of no values does not exist");
  return sum(values) / values.length;
}

/**
 * The sample standard deviation, with n - 1 below, by the two-pass formula.
 *
 * @throws RangeError with fewer than two values
 */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) throw new RangeError("A standard deviation needs two values");
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** The variation of values relative to their mean, or why there is none. */
export type Variation =
  | { readonly kind: "known"; readonly n: number; readonly mean: number; readonly sd: number; readonly cv: number }
  | { readonly kind: "unknown"; readonly n: number; readonly cv: null; readonly lack: Lack };

/**
 * Mean, sample standard deviation and coefficient of variation (sd / mean, a fraction: 0.05 is 5 %) of positive values
 * such as requests per second.
 */
export function variation(values: readonly number[]): Variation {
  const n = values.length;
  if (n < 2) return { kind: "unknown", n, cv: null, lack: lack("too-few-values", { n }) };
  const wrong = values.find((value) => !(value > 0 && Number.isFinite(value)));
  if (wrong !== undefined) {
    return { kind: "unknown", n, cv: null, lack: lack("value-not-positive", { value: wrong, round: null }) };
  }
  const centre = mean(values);
  const sd = standardDeviation(values);
  return { kind: "known", n, mean: centre, sd, cv: sd / centre };
}
