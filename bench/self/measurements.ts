/** One figure the bench holds itself to: a ratio within one run on one machine. */
export interface Measurement {
  readonly part: string;
  readonly name: string;
  readonly ratio: number | null;
  /** What it should reach, `most` where less is better, both where it should be 1; null where it is only shown. */
  readonly goal: { readonly least?: number; readonly most?: number } | null;
  /** How it was measured, or why it could not be. */
  readonly note: string;
}

/** Whether a measurement reaches its goal; one without a goal has to be measured. */
export function reached({ ratio, goal }: Measurement): boolean {
  if (ratio === null) return false;
  return goal === null || (ratio >= (goal.least ?? -Infinity) && ratio <= (goal.most ?? Infinity));
}
