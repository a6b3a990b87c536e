import { estimateOf } from "../../statistics/estimate.ts";
import { pBeyond } from "../../statistics/margin.ts";
import { sampleOf } from "../../statistics/t-interval.ts";

/** One figure the bench holds itself to: a ratio within one run on one machine. */
export interface Measurement {
  readonly part: string;
  readonly name: string;
  readonly ratio: number | null;
  /** What it should reach, `most` where less is better, both where it should be 1; null where it is only shown. */
  readonly goal: { readonly least?: number; readonly most?: number } | null;
  /** How it was measured, or why it could not be. */
  readonly note: string;
  /**
   * Chance of a figure so far beyond the goal where the truth is just at it, all figures of its part judged together; absent
   * where chance has no part in it.
   */
  readonly chance?: number;
}

/** Whether a figure reaches its goal, or misses it by more than chance takes it, or by no more. */
export type Outcome = "reached" | "missed" | "unclear";

/** What is beyond its goal by less likely a chance than this misses it. */
const ALPHA = 0.05;

/** How a measurement came out; one without a goal has to be measured. */
export function outcomeOf({ ratio, goal, chance }: Measurement): Outcome {
  if (ratio === null) return "missed";
  if (goal === null || (ratio >= (goal.least ?? -Infinity) && ratio <= (goal.most ?? Infinity))) return "reached";
  return chance !== undefined && chance >= ALPHA ? "unclear" : "missed";
}

/**
 * Chance of a mean so far from nothing where the truth is just at the limit: the t test of {@link pBeyond}. With fewer than
 * two values chance alone could be anything.
 *
 * @param values one a round, in the limit's unit
 * @param limit how far from nothing the truth may be
 */
export function chanceOfMean(values: readonly number[], limit: number): number {
  if (values.length < 2) return 1;
  return pBeyond(estimateOf(sampleOf(values)), limit);
}

/**
 * How far apart two things are in the rounds that have both, in percent, and the chance of it.
 *
 * @param differences ln of the one over the other, one a round
 * @param limit percent they may be apart
 * @param figures how many such figures are judged together: the chance is that of any one of them (Bonferroni)
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

/** How far chance alone takes a mean of rounds, in percent of what it is the logarithm of; empty where one round cannot tell. */
export function errorText(differences: readonly number[]): string {
  if (differences.length < 2) return "";
  return `, standard error ${(100 * estimateOf(sampleOf(differences)).error).toFixed(1)} %`;
}
