import { studentTQuantile } from "./distributions.ts";
import { logMargin } from "./margin.ts";
import type { Sample } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/** What a comparison is held against when its power is asked for. */
export interface PowerQuestion {
  /** The margin the interval must leave, as a fraction: 0.01 is 1 %. */
  readonly delta: number;
  /** The margin inside which two cells count as equal, as a fraction; at least `delta`. */
  readonly equivalence: number;
  /** 1 - confidence of the interval that decides on a difference. */
  readonly alpha: number;
  /** 1 - confidence of the interval that decides on equivalence. */
  readonly equivalenceAlpha: number;
}

/** How many rounds would settle a comparison, and how, if what was seen is true; or why none would. */
export type RoundsNeeded =
  | { readonly kind: "reachable"; readonly rounds: number; readonly verdict: "faster" | "equivalent" }
  | { readonly kind: "unreachable"; readonly reason: string };

/**
 * The smallest true difference that n rounds of this spread call faster with the power of the thresholds table (90 %),
 * as a fraction: 0.03 is 3 %.
 *
 * log(1 + difference) = log(1 + delta) + (t(1 - alpha/2, n - 1) + t(power, n - 1)) sd / sqrt(n), the usual sample size
 * formula (Chow, Shao and Wang, Sample Size Calculations in Clinical Research, section 3.1) solved for the effect.
 */
export function smallestDetectable(logRatio: Sample, question: Pick<PowerQuestion, "delta" | "alpha">): number {
  return Math.expm1(logMargin(question.delta) + reach(logRatio.sd, logRatio.n, question.alpha));
}

/**
 * The rounds after which the seen ratio and spread, if true, would be settled with the power of the thresholds table:
 * as `faster` when the ratio lies beyond delta, else as `equivalent`.
 */
export function roundsNeeded(logRatio: Sample, question: PowerQuestion): RoundsNeeded {
  const distance = Math.abs(logRatio.mean);
  const beyond = distance - logMargin(question.delta);
  const verdict = beyond > 0 ? "faster" : "equivalent";
  const room = beyond > 0 ? beyond : logMargin(question.equivalence) - distance;
  const alpha = beyond > 0 ? question.alpha : question.equivalenceAlpha;
  const most = thresholds.mostRoundsAdvised.value;
  const settles = (rounds: number) => reach(logRatio.sd, rounds, alpha) < room;
  if (!settles(most)) return { kind: "unreachable", reason: `more than ${most} rounds: the machine is too noisy` };

  let tooFew = 1;
  let enough = most;
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1;
    if (settles(middle)) enough = middle;
    else tooFew = middle;
  }
  return { kind: "reachable", rounds: Math.max(enough, thresholds.leastRoundsForVerdict.value), verdict };
}

/** How far from an edge the true log ratio must lie for the interval to clear the edge with the wanted power. */
function reach(sd: number, n: number, alpha: number): number {
  const { value: power } = thresholds.power;
  return (studentTQuantile(1 - alpha / 2, n - 1) + studentTQuantile(power, n - 1)) * sd / Math.sqrt(n);
}
