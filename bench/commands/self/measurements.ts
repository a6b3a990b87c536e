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
