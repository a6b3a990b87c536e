import type { Interval } from "./t-interval.ts";

/** The shift between two groups of values: the median of all differences, and its interval. */
interface Shift {
  readonly shift: number;
  /** Its level is at least the requested one; null if the groups are too small for that. */
  readonly interval: Interval | null;
}

/**
 * The shift from one group of values to another by Hodges and Lehmann's estimator with Moses' exact interval (Hollander
 * and Wolfe, Nonparametric Statistical Methods, sections 4.2 and 4.3): it asks nothing of the distribution, and a few
 * wild values (a garbage collection) do not move it.
 *
 * @param level confidence, e.g. 0.9
 * @param from the values of one group, at least one, all finite
 * @throws RangeError when a group is empty
 */
export function shiftOf(from: readonly number[], to: readonly number[], level: number): Shift {
  if (from.length === 0 || to.length === 0) throw new RangeError("The shift of no values does not exist");
  const differences = Float64Array.from(to.flatMap((later) => from.map((earlier) => later - earlier))).sort();
  const shift = (differences[(differences.length - 1) >> 1]! + differences[differences.length >> 1]!) / 2;
  const rank = intervalRank(from.length, to.length, level);
  if (rank === 0) return { shift, interval: null };
  return { shift, interval: { low: differences[rank - 1]!, high: differences.at(-rank)!, level } };
}

/** Returns the least size of two equally large samples that have an interval at a level. */
export function leastForInterval(level: number): number {
  let size = 1;
  while (intervalRank(size, size, level) === 0) size++;
  return size;
}

/** Ranks found before: a warm-up asks for the same few again after every slice. */
const knownRanks = new Map<string, number>();

/** The greatest k for which the k-th least and k-th greatest differences hold the shift with the level; 0 for none. */
function intervalRank(m: number, n: number, level: number): number {
  const key = `${m} ${n} ${level}`;
  const known = knownRanks.get(key) ?? findRank(m, n, level);
  knownRanks.set(key, known);
  return known;
}

function findRank(m: number, n: number, level: number): number {
  const counts = rankSumCounts(m, n);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let [rank, below] = [0, counts[0]!];
  while (2 * (rank + 1) <= m * n && 2 * below / total <= 1 - level + 1e-12) below += counts[++rank]!;
  return rank;
}

/** Returns the number of orders of m and n distinct values for each U of Mann and Whitney: 0, 1, 2 ... m n. */
function rankSumCounts(m: number, n: number): number[] {
  // The Gaussian binomial coefficient, whose coefficients these are: a product of (1 - q^(n+i)) / (1 - q^i).
  const counts = new Array<number>(m * n + 1).fill(0);
  counts[0] = 1;
  for (let i = 1; i <= m; i++) {
    for (let u = m * n; u >= n + i; u--) counts[u]! -= counts[u - n - i]!;
    for (let u = i; u <= m * n; u++) counts[u]! += counts[u - i]!;
  }
  return counts;
}
