import { estimateOf } from "../../bench/statistics/estimate.ts";
import { pBeyond } from "../../bench/statistics/margin.ts";
import { sampleOf } from "../../bench/statistics/t-interval.ts";

/** A promise of the bench as a figure: a ratio within one run on one machine. */
export interface Measurement {
  readonly part: string;
  readonly name: string;
  readonly ratio: number | null;
  /** The bounds of a good figure; null if it is only shown. */
  readonly goal: { readonly least?: number; readonly most?: number } | null;
  /** The basis of the figure, or the reason why there is none. */
  readonly note: string;
  /**
   * The p-value of a figure beyond its goal, if the truth is at the goal; all figures of its part are one family. Absent for
   * a figure without chance.
   */
  readonly chance?: number;
}

/** A figure reaches its goal, misses it by more than chance, or by no more (`unclear`). */
type Outcome = "reached" | "missed" | "unclear";

/** The p-value below which a figure misses its goal. */
const ALPHA = 0.05;

/** The outcome of a measurement; one without a goal has to have a figure. */
export function outcomeOf({ ratio, goal, chance }: Measurement): Outcome {
  if (ratio === null) return "missed";
  if (goal === null || (ratio >= (goal.least ?? -Infinity) && ratio <= (goal.most ?? Infinity))) return "reached";
  return chance !== undefined && chance >= ALPHA ? "unclear" : "missed";
}

/**
 * The p-value of a mean beyond a limit, by the t test of {@link pBeyond}; 1 for fewer than two values.
 *
 * @param values one for each round, in the limit's unit
 * @param limit the largest distance from 0 that is good
 */
export function chanceOfMean(values: readonly number[], limit: number): number {
  if (values.length < 2) return 1;
  return pBeyond(estimateOf(sampleOf(values)), limit);
}

/**
 * The difference of two costs in percent, and its p-value.
 *
 * @param differences ln of one over the other, one for each round
 * @param limit the largest good difference, in percent
 * @param figures the number of figures in the family (Bonferroni)
 */
export function percentApart(
  differences: readonly number[],
  limit: number,
  figures: number,
): { readonly ratio: number | null; readonly chance: number } {
  if (differences.length === 0) return { ratio: null, chance: 1 };
  const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
  return {
    ratio: 100 * Math.abs(Math.expm1(mean)),
    chance: Math.min(1, figures * chanceOfMean(differences, Math.log1p(limit / 100))),
  };
}

/** The standard error of a mean of logarithms, in percent; empty for fewer than two rounds. */
export function errorText(differences: readonly number[]): string {
  if (differences.length < 2) return "";
  return `, standard error ${(100 * estimateOf(sampleOf(differences)).error).toFixed(1)} %`;
}
