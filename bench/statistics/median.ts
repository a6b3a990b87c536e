import { type Lack, lack } from "./lacks.ts";
import { binomialCdf } from "./distributions.ts";

/** A median of values with an interval of at least the requested confidence, e.g. 0.95, if there are enough of them. */
export type MedianInterval =
  & { readonly level: number }
  & (
    | {
      readonly kind: "bounded";
      readonly median: number;
      readonly low: number;
      readonly high: number;
      readonly n: number;
      /** The confidence the interval really has: exact, at least `level`. */
      readonly coverage: number;
    }
    | {
      readonly kind: "unbounded";
      readonly median: number;
      readonly low: null;
      readonly high: null;
      readonly n: number;
      readonly lack: Lack;
    }
    | {
      readonly kind: "none";
      readonly median: null;
      readonly low: null;
      readonly high: null;
      readonly n: 0;
      readonly lack: Lack;
    }
  );

/**
 * The median of the values with its exact order-statistic interval, in the unit of the values.
 *
 * The interval runs from the k-th least to the k-th greatest value, with the greatest k that keeps
 * 1 - 2 P(Binomial(n, 1/2) <= k - 1) at or above the level: true of any continuous distribution of independent values
 * (David and Nagaraja, Order Statistics, 3rd ed., section 7.1). At 95 % it needs six values: min to max, 96.875 %.
 *
 * @param level confidence between 0 and 1
 * @throws RangeError when a value is not finite or the level out of range
 */
export function medianInterval(values: readonly number[], level = 0.95): MedianInterval {
  if (!(level > 0 && level < 1)) throw new RangeError(`Level "${level}" must lie between 0 and 1`);
  const n = values.length;
  if (n === 0) return { kind: "none", median: null, low: null, high: null, n, level, lack: lack("no-values") };
  const sorted = sortFinite(values);
  const median = middle(sorted);
  const rank = intervalRank(n, level);
  if (rank === 0) {
    const reason = lack("too-few-for-interval", { n, level, least: leastForMedianInterval(level) });
    return { kind: "unbounded", median, low: null, high: null, n, level, lack: reason };
  }
  const coverage = 1 - 2 * binomialCdf(rank - 1, n, 0.5);
  return { kind: "bounded", median, low: sorted[rank - 1]!, high: sorted[n - rank]!, n, level, coverage };
}

/** The least number of values for which a median has a finite interval at the level: 6 at 0.95. */
export function leastForMedianInterval(level: number): number {
  return Math.max(1, Math.ceil(1 - Math.log2(1 - level)));
}

/**
 * The median of the values, the mean of the middle two when their number is even.
 *
 * @throws RangeError when there are no values or one is not finite
 */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("The median of no values does not exist");
  return middle(sortFinite(values));
}

/** The greatest k whose interval still has the level; 0 when even min to max has not. */
function intervalRank(n: number, level: number): number {
  let rank = 0;
  while (2 * (rank + 1) <= n && 1 - 2 * binomialCdf(rank, n, 0.5) >= level) rank++;
  return rank;
}

function sortFinite(values: readonly number[]): number[] {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new RangeError(`Value "${wrong}" is not a finite number`);
  return [...values].sort((a, b) => a - b);
}

function middle(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The median of those values that are known; null of none. */
export function medianOfKnown(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === "number");
  return known.length === 0 ? null : median(known);
}
