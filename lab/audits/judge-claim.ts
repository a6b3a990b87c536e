/** The rule that holds a published ratio against a run: docs/audits/README.md has it in words. */
import { isJudged } from "../../bench/record/verdicts.ts";
import type { Comparison } from "../../bench/record/comparison.ts";

/** The outcome of a claim. */
export type ClaimVerdict =
  | "holds"
  | "smaller here"
  | "much smaller here"
  | "reversed here"
  | "larger here"
  | "cannot be told"
  | "not measured alike";

/** A published ratio, or the range of several: least and most. */
export type Published = readonly [least: number, most: number];

/** A published ratio may lie so far outside the interval, as a share of its nearer end, and still holds: the claim is rounded. */
export const NEAR = 0.1;

/** Shares of a published gain, of its logarithm: from the first on it holds, from the second on it is smaller. */
export const HOLDS_FROM = 0.75, SMALLER_FROM = 0.25;

/** Rates of servers alone may be so many times the ratio of CPU time, or as far below it: they vary by up to a third. */
export const RATES_AGREE = 4 / 3;

/** What else is known of a claim's figure here. */
export interface Likeness {
  /** Why quantity or set-up differ in kind from what was published; undefined if they do not. */
  readonly unlike?: string | undefined;
  /** The ratio of requests a second of both sides alone, where these were published; null if a side has no rate. */
  readonly rates?: number | null | undefined;
}

/** Returns the share of a published gain that is seen here, of its logarithm: 1 is all of it, below 0 is the other direction. */
export function shareOfGain([least, most]: Published, ratio: number): number {
  return Math.log(ratio) / Math.log(Math.min(most, Math.max(least, ratio)));
}

/**
 * Holds a published ratio against a comparison.
 *
 * - `not measured alike`: quantity or set-up differ in kind, or rates alone do not agree with CPU time.
 * - `cannot be told`: nothing was compared, the run gives no verdict, or it proves no difference and the published ratio
 *   lies inside the interval: the run cannot see so small a difference.
 * - `reversed here`: the other direction is proven.
 * - `holds`: the direction is proven, and the published ratio lies in the interval or within a tenth of its nearer end, or
 *   three quarters of its gain are seen. A published range lies in it where both overlap.
 * - `larger here`: the whole interval is above what was published.
 * - `smaller here`, `much smaller here`: from a quarter of the gain on, and below that or none.
 *
 * @param published how many times better `over` is said to be, above 1
 * @param found the comparison with the same `over`; undefined if there is none
 */
export function judgeClaim(
  published: Published,
  found: Comparison | undefined,
  { unlike, rates }: Likeness = {},
): ClaimVerdict {
  if (unlike !== undefined) return "not measured alike";
  if (found === undefined || !isJudged(found)) return "cannot be told";
  const [least, most] = published, { verdict, ratio, interval: { low, high } } = found;
  if (typeof rates === "number" && Math.abs(Math.log(rates / ratio)) > Math.log(RATES_AGREE)) {
    return "not measured alike";
  }
  if (verdict === "slower") return "reversed here";
  if (verdict !== "faster") return most >= low && least <= high ? "cannot be told" : "much smaller here";
  if (most >= low / (1 + NEAR) && least <= high * (1 + NEAR)) return "holds";
  if (low > most) return "larger here";
  const share = shareOfGain(published, ratio);
  return share >= HOLDS_FROM ? "holds" : share >= SMALLER_FROM ? "smaller here" : "much smaller here";
}

/** The order of an index by what surprises: what does not hold first, and what is not measured alike last. */
export const BY_SURPRISE: readonly ClaimVerdict[] = [
  ...["reversed here", "much smaller here", "smaller here", "larger here", "holds"] as const,
  ...["cannot be told", "not measured alike"] as const,
];

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
