import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { lossText } from "./lacks.ts";
import type { MeasuredRatio } from "./compare.ts";
import { studentTQuantile } from "./distributions.ts";
import { twoSidedP } from "./estimate.ts";
import { compareBy, type Compared } from "./evidence.ts";
import { expm1 } from "./logarithms.ts";
import { logMargin } from "./margin.ts";
import { thresholds } from "./thresholds.ts";

/**
 * The largest difference that a run invents, from its A/A pairs: one cell measured under two labels.
 *
 * `agree`: no A/A pair differs; `different`: one does, so nothing this run says about differences can be believed;
 * `unknown`: no A/A pair could be compared.
 */
export type NoiseFloor =
  | {
    readonly kind: "agree" | "different";
    /** The margin a ratio must clear, as a fraction: 0.01 is 1 %. */
    readonly delta: number;
    /** Returns the reach of the differences that the run invents, as a fraction. */
    readonly bound: number;
    /** The least p of the A/A pairs, times their number (Bonferroni). */
    readonly p: number;
    /** A/A pairs that could be compared. */
    readonly pairs: number;
  }
  | { readonly kind: "unknown"; readonly mark: Mark };

/**
 * The noise floor of a run from its A/A pairs, all of one basis (all together, or all solo). One that could not be
 * compared is left out.
 *
 * **Different** at a familywise alpha of 1 %, and only beyond the least delta: a bias below it is harmless, as no
 * verdict is given on less. 1 % and not 5 %, because a false alarm voids a whole run; the price, that a bias must be
 * large to be caught, is paid by the bound.
 *
 * **Bound** = root mean square of the pairs' log ratios + t(5/6) x standard error of their mean, the reach of a 2/3
 * interval. The mean square and not the greatest of the pairs: all stand for one thing, what this run invents, and the
 * greatest of four would grow with their number though nothing else did. A comparison with the same bias and spread
 * clears the bound by chance only if the difference of two noisy means exceeds the sum of two reaches. A difference's
 * standard error is sqrt(2) times that of a mean, so beside a 95 % reach another of (sqrt(2) - 1) times its size
 * suffices (Goldstein and Healy, JRSS A 158, 1995, on comparing by overlap); a 2/3 interval reaches about that far. A
 * 95 % reach here would count the same noise twice.
 */
export function noiseFloor(pairs: readonly Compared[]): NoiseFloor {
  if (pairs.length === 0) return unknown("the run has no A/A pair");
  const comparisons = pairs.map(compareBy);
  const measured = comparisons.filter((comparison) => comparison.kind === "measured");
  if (measured.length === 0) {
    const [first] = comparisons;
    return unknown(`an A/A pair has ${first!.kind === "unmeasured" ? lossText(first!.lack) : ""}`);
  }
  const least = thresholds.leastDelta.value;
  const ps = measured.map(({ logRatio }) => twoSidedP(logRatio));
  const alpha = thresholds.aaAlpha.value / measured.length;
  const differs = measured.some(({ logRatio }, n) => ps[n]! < alpha && Math.abs(logRatio.mean) > logMargin(least));
  const bound = boundOf(measured);
  return {
    kind: differs ? "different" : "agree",
    delta: Math.max(least, bound),
    bound,
    p: Math.min(1, measured.length * Math.min(...ps)),
    pairs: measured.length,
  };
}

const unknown = (text: string): NoiseFloor => ({ kind: "unknown", mark: mark("noise-floor-unknown", text) });

function boundOf(measured: readonly MeasuredRatio[]): number {
  const sum = (of: (comparison: MeasuredRatio) => number) => measured.reduce((total, one) => total + of(one), 0);
  const rootMeanSquare = Math.sqrt(sum(({ logRatio }) => logRatio.mean ** 2) / measured.length);
  const error = Math.sqrt(sum(({ logRatio }) => logRatio.error ** 2)) / measured.length;
  const t = studentTQuantile((1 + thresholds.aaBoundLevel.value) / 2, sum(({ logRatio }) => logRatio.degrees));
  return expm1(rootMeanSquare + t * error);
}
