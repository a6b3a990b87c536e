import type { Comparison, MeasuredComparison } from "./compare.ts";
import { logMargin } from "./margin.ts";
import { standardError } from "./t-interval.ts";
import { studentTQuantile } from "./distributions.ts";
import { thresholds } from "./thresholds.ts";

/**
 * What the run's A/A pairs, each one cell measured under two labels, say about the run: differences it invents.
 *
 * `agree`: no A/A pair differs; `different`: one does, so nothing this run says about differences can be believed;
 * `unknown`: no A/A pair could be compared.
 */
export type NoiseFloor =
  | {
    readonly kind: "agree" | "different";
    /** The margin a ratio must clear, as a fraction: 0.01 is 1 %. */
    readonly delta: number;
    /** How far an A/A difference may reach, as a fraction. */
    readonly bound: number;
    /** The least p of the A/A pairs, times their number (Bonferroni). */
    readonly p: number;
    readonly pairs: number;
  }
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * The noise floor of a run from its A/A comparisons, all of one basis (all duets, or all solo).
 *
 * **Different** at a familywise alpha of 1 %, and only beyond the least delta: a bias below it is harmless, as no
 * verdict is given on less. 1 % and not 5 %, because a false alarm voids a whole run; the price, that a bias must be
 * large to be caught, is paid by the bound.
 *
 * **Bound** = |mean| + t(5/6, n - 1) sd / sqrt(n), the reach of a 2/3 interval. A comparison with the same bias and
 * spread clears it by chance only if the difference of two noisy means exceeds the sum of two reaches. A difference's
 * standard error is sqrt(2) times that of a mean, so beside a 95 % reach another of (sqrt(2) - 1) times its size
 * suffices, 0.91 standard errors at n = 12 and 1.06 at n = 6 (Goldstein and Healy, JRSS A 158, 1995, on comparing by
 * overlap); a 2/3 interval reaches 1.01 and 1.07. A 95 % reach here would count the same noise twice: at 12 rounds and a
 * CV of 2 % a true 5 % would be found in 74 % of simulated runs instead of 94 %.
 */
export function noiseFloor(comparisons: readonly Comparison[]): NoiseFloor {
  const pairs = comparisons.length;
  if (pairs === 0) return { kind: "unknown", reason: "the run has no A/A pair" };
  const measured = comparisons.filter((comparison) => comparison.kind === "measured");
  const unmeasured = comparisons.find((comparison) => comparison.kind === "unmeasured");
  if (unmeasured !== undefined) return { kind: "unknown", reason: `an A/A pair has ${unmeasured.reason}` };

  const least = thresholds.leastDelta.value;
  const alpha = thresholds.aaAlpha.value / pairs;
  const differs = measured.some(({ p, logRatio }) => p < alpha && Math.abs(logRatio.mean) > logMargin(least));
  const bound = Math.max(...measured.map(aaBound));
  return {
    kind: differs ? "different" : "agree",
    delta: Math.max(least, bound),
    bound,
    p: Math.min(1, pairs * Math.min(...measured.map(({ p }) => p))),
    pairs,
  };
}

function aaBound({ n, logRatio }: MeasuredComparison): number {
  const reach = studentTQuantile((1 + thresholds.aaBoundLevel.value) / 2, n - 1) * standardError(logRatio);
  return Math.expm1(Math.abs(logRatio.mean) + reach);
}
