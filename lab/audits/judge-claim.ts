/** The rule that holds a published ratio against a run: docs/audits/README.md has it in words. */
import { isJudged } from "../../bench/record/verdicts.ts";
import type { Comparison } from "../../bench/record/comparison.ts";

/** The outcome of a claim. */
export type ClaimVerdict = "holds here" | "holds in kind" | "not here" | "cannot be told";

/** A published ratio, or the range of several: least and most. */
export type Published = readonly [least: number, most: number];

/** A published ratio may lie so far outside the interval, as a share of its nearer end, and still holds: the claim is rounded. */
export const NEAR = 0.1;

/** A direction alone is no claim: where less than this share of the published gain is seen, the claim does not hold. */
export const LEAST_GAIN = 0.1;

/**
 * Holds a published ratio against a comparison.
 *
 * - `cannot be told`: nothing was compared, the run gives no verdict, or it proves no difference and the published ratio
 *   lies inside the interval: the run cannot see so small a difference.
 * - `not here`: the other direction is proven; or no difference is and the published ratio lies outside the interval; or
 *   the direction is proven, and the whole interval is below a tenth of the published gain, the ratio less one.
 * - `holds here`: the direction is proven, and the published ratio lies in the interval or within a tenth of its nearer end.
 *   A published range lies in it where both overlap.
 * - `holds in kind`: the direction is proven, at another size.
 *
 * @param published how many times better `over` is said to be, above 1
 * @param found the comparison with the same `over`; undefined if there is none
 */
export function judgeClaim([least, most]: Published, found: Comparison | undefined): ClaimVerdict {
  if (found === undefined || !isJudged(found)) return "cannot be told";
  const { verdict, interval: { low, high } } = found;
  if (verdict === "faster") {
    if (most >= low / (1 + NEAR) && least <= high * (1 + NEAR)) return "holds here";
    return high - 1 < LEAST_GAIN * (least - 1) ? "not here" : "holds in kind";
  }
  // Of the other direction no interval reaches a ratio above 1.
  return most >= low && least <= high ? "cannot be told" : "not here";
}

/** The order of an index by what surprises: what does not hold first, and what nobody knows last. */
const BY_SURPRISE: readonly ClaimVerdict[] = ["not here", "holds in kind", "holds here", "cannot be told"];

/** A claim's outcome as the index sorts it. */
export interface Judged {
  readonly verdict: ClaimVerdict;
  readonly published: Published;
  /** The ratio measured here; null without one. */
  readonly ratio: number | null;
}

/** Compares two outcomes: by verdict, then by how far the ratio here is from the published one. */
export function bySurprise(a: Judged, b: Judged): number {
  const place = BY_SURPRISE.indexOf(a.verdict) - BY_SURPRISE.indexOf(b.verdict);
  return place === 0 ? distance(b) - distance(a) : place;
}

/** The logarithm of how far a ratio lies outside what was published; 0 within it. */
const distance = ({ published: [least, most], ratio }: Judged): number =>
  ratio === null ? 0 : Math.max(0, Math.log(ratio / most), Math.log(least / ratio));
