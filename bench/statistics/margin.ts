import { studentTCdf } from "./distributions.ts";
import type { Estimate } from "./estimate.ts";
import { log1p } from "./logarithms.ts";
import type { Interval } from "./t-interval.ts";

/**
 * p against "the true ratio differs by no more than the margin either way". Below alpha exactly when the whole t interval
 * of confidence 1 - alpha lies beyond the margin on one side.
 *
 * The test is a minimum-effect test (Murphy and Myors, Journal of Applied Psychology 84, 1999): a one-sided t test
 * against the nearer edge, doubled because the side is chosen after the look.
 *
 * @param margin as a fraction: 0.01 is 1 %, i.e. ratios from 1/1.01 to 1.01
 * @throws RangeError when the margin is negative
 */
export function pBeyondMargin(estimate: Estimate, margin: number): number {
  return pBeyond(estimate, logMargin(margin));
}

/** The same for a distance in the estimate's unit, equal on both sides. */
export function pBeyond({ mean, error, degrees }: Estimate, distance: number): number {
  const further = Math.abs(mean) - distance;
  if (error === 0) return further > 0 ? 0 : 1;
  return Math.min(1, 2 * studentTCdf(-further / error, degrees));
}

/**
 * Returns the side of the margin on which the whole interval of a ratio lies; null if it lies on neither.
 *
 * @param margin as a fraction: 0.01 is 1 %
 */
export function sideBeyondMargin(interval: Interval, margin: number): "above" | "below" | null {
  const edge = 1 + margin;
  if (interval.low > edge) return "above";
  return interval.high < 1 / edge ? "below" : null;
}

/**
 * True if the whole interval of a ratio lies inside the margin: the two one-sided tests of equivalence (Schuirmann,
 * Journal of Pharmacokinetics and Biopharmaceutics 15, 1987), at half the interval's alpha.
 *
 * @param margin as a fraction: 0.02 is 2 %
 */
export function isInsideMargin(interval: Interval, margin: number): boolean {
  const edge = 1 + margin;
  return interval.low > 1 / edge && interval.high < edge;
}

/**
 * A margin as a distance of log ratios, the same to both sides: log(1 + margin).
 *
 * @throws RangeError when the margin is negative or not finite
 */
export function logMargin(margin: number): number {
  if (!(margin >= 0 && Number.isFinite(margin))) throw new RangeError(`Margin "${margin}" must not be negative`);
  return log1p(margin);
}
