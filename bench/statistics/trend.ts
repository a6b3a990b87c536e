import { type Lack, lack } from "./lacks.ts";
import { normalCdf } from "./distributions.ts";
import { median } from "./median.ts";
import { thresholds } from "./thresholds.ts";

/** The trend of values over the rounds, or why it is unknown. */
export type Trend =
  | {
    readonly kind: "known";
    readonly n: number;
    /** Kendall's tau with the round number: -1 falls in every step, 1 rises in every step. */
    readonly tau: number;
    /** Two-sided p of the Mann-Kendall test. */
    readonly p: number;
    /** Theil-Sen slope from first to last round, relative to the median: -0.1 is a fall of 10 %. */
    readonly relativeChange: number;
    /** Too regular to be chance, and large enough to matter. */
    readonly flagged: boolean;
  }
  | { readonly kind: "unknown"; readonly n: number; readonly lack: Lack };

/**
 * The trend of positive values over rounds, in round order.
 *
 * Test: Mann-Kendall (Mann, Econometrica 13, 1945), exact without ties, else by the normal approximation with tie and
 * continuity correction (Kendall, Rank Correlation Methods, 4th ed., chapter 4). Size: Theil-Sen slope (Sen, JASA 63,
 * 1968), which one wild round does not move. A rank test asks nothing of the distribution.
 */
export function trend(values: readonly number[]): Trend {
  const n = values.length;
  const least = thresholds.leastRoundsForTrend.value;
  if (n < least) return { kind: "unknown", n, lack: lack("too-few-for-trend", { n, least }) };
  const wrong = values.find((value) => !(value > 0 && Number.isFinite(value)));
  if (wrong !== undefined) {
    return { kind: "unknown", n, lack: lack("value-not-positive", { value: wrong, round: null }) };
  }

  const steps = pairwise(values);
  const score = steps.reduce((sum, step) => sum + Math.sign(step.rise), 0);
  const ties = tieSizes(values);
  const p = ties.length === 0 ? exactP(score, n) : approximateP(score, n, ties);
  const slope = median(steps.map((step) => step.rise / step.rounds));
  const relativeChange = slope * (n - 1) / median(values);
  const flagged = p < thresholds.trendAlpha.value && Math.abs(relativeChange) > thresholds.trendChange.value;
  return { kind: "known", n, tau: score / steps.length, p, relativeChange, flagged };
}

function pairwise(values: readonly number[]): { rise: number; rounds: number }[] {
  return values.flatMap((early, first) =>
    values.slice(first + 1).map((late, gap) => ({ rise: late - early, rounds: gap + 1 }))
  );
}

/**
 * P(|S| >= |score|) when every order of n distinct values is equally likely. The number of inversions of n items is
 * that of n - 1 items plus a number drawn evenly from 0 to n - 1, and S = n(n-1)/2 - 2 inversions.
 */
function exactP(score: number, n: number): number {
  let chances = [1];
  for (let items = 2; items <= n; items++) {
    const next = new Array<number>(chances.length + items - 1).fill(0);
    chances.forEach((chance, inversions) => {
      for (let more = 0; more < items; more++) next[inversions + more]! += chance / items;
    });
    chances = next;
  }
  const pairs = n * (n - 1) / 2;
  return Math.min(
    1,
    chances.reduce(
      (sum, chance, inversions) => Math.abs(pairs - 2 * inversions) >= Math.abs(score) ? sum + chance : sum,
      0,
    ),
  );
}

function approximateP(score: number, n: number, ties: readonly number[]): number {
  return scoreP(score, scoreVariance(n, ties));
}

/** Variance of Kendall's score of n independent values with ties of these sizes. */
export function scoreVariance(n: number, ties: readonly number[]): number {
  const spread = (size: number) => size * (size - 1) * (2 * size + 5) / 18;
  return spread(n) - ties.reduce((sum, size) => sum + spread(size), 0);
}

/** Two-sided p of Kendall's score by the normal approximation, with the correction for continuity. */
export const scoreP = (score: number, variance: number): number =>
  score === 0 || variance <= 0 ? 1 : Math.min(1, 2 * normalCdf(-(Math.abs(score) - 1) / Math.sqrt(variance)));

/** Sizes of groups of equal values. */
export function tieSizes(values: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1);
}
