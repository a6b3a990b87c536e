import { thresholds } from "./thresholds.ts";

/** The confidence of a family's intervals. */
export interface FamilyLevel {
  /** How many comparisons it has. */
  readonly comparisons: number;
  /** Confidence that all of its intervals hold together. */
  readonly level: number;
  /** Confidence of each interval by itself. */
  readonly levelEach: number;
}

/**
 * How sure each interval must be for all of a family to hold together with 95 %: Bonferroni's 1 - 0.05 / comparisons,
 * true however they depend on each other.
 *
 * The exact joint distribution (Hothorn, Bretz and Westfall, Biometrical Journal 50, 2008) would narrow them by at most
 * 1.3 %, by simulation. That is not worth a seed.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { familyLevel } from "levelfield/statistics";
 * assert.ok(Math.abs(familyLevel(10).levelEach - 0.995) < 1e-12);
 * ```
 */
export function familyLevel(comparisons: number): FamilyLevel {
  const alpha = thresholds.familyAlpha.value;
  return { comparisons, level: 1 - alpha, levelEach: 1 - alpha / Math.max(1, comparisons) };
}

/** A p value as it counts in a family: below 0.05 exactly when the family's interval excludes what is tested. */
export function adjustedP(p: number, { comparisons }: FamilyLevel): number {
  return Math.min(1, p * comparisons);
}
