/** Expected repeats among random draws, from the numbers of draws and values alone. */
import { expm1, log1p } from "./logarithms.ts";
import { sum } from "./variation.ts";

/** Values that are drawn with the same chance: their number, and the chance of each. */
export interface EqualValues {
  readonly count: number;
  readonly chance: number;
}

/**
 * The expected number of distinct values among independent draws: each value is missing with (1 - chance)^draws, as bins
 * stay empty of balls (Feller, An Introduction to Probability Theory, vol. 1, IV.2).
 */
export const expectedDistinct = (values: readonly EqualValues[], draws: number): number =>
  // 1 - (1 - p)^n without loss of digits where p is one of billions.
  sum(values.map(({ count, chance }) => chance >= 1 ? Math.min(draws, count) : count * -expm1(draws * log1p(-chance))));

/**
 * The expected share of draws whose value was drawn before: the hits of a cache that drops nothing.
 *
 * @param before draws made before, all by the same chances
 * @param during draws looked at; at least one
 */
export const repeatedShare = (values: readonly EqualValues[], before: number, during: number): number =>
  1 - (expectedDistinct(values, before + during) - expectedDistinct(values, before)) / during;
