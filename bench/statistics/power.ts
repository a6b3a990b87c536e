import type { Judged } from "../record/verdicts.ts";
import { studentTQuantile } from "./distributions.ts";
import { afterRounds, type Estimate } from "./estimate.ts";
import { expm1, log, log1p } from "./logarithms.ts";
import { logMargin } from "./margin.ts";
import { thresholds } from "./thresholds.ts";

/** The margin and level that a comparison's power is computed for. */
interface PowerQuestion {
  /** The margin the interval must leave, as a fraction: 0.01 is 1 %. */
  readonly delta: number;
  /** The margin inside which two cells count as equal, as a fraction. */
  readonly equivalence: number;
  /** 1 - confidence of the interval that decides. */
  readonly alpha: number;
}

/**
 * The number of rounds that would decide a comparison if the measured ratio and spread are true; unreachable where that is
 * more than anybody is advised to make.
 */
export type RoundsNeeded =
  | { readonly kind: "reachable"; readonly rounds: number; readonly verdict: "faster" | "equivalent" }
  | { readonly kind: "unreachable" };

/**
 * The smallest true difference that an estimate of this error calls faster with the power of the thresholds table
 * (90 %), as a fraction: 0.03 is 3 %.
 *
 * log(1 + difference) = log(1 + delta) + (t(1 - alpha/2) + t(power)) x standard error: the usual sample size formula,
 * solved for the effect (Chow, Shao and Wang, Sample Size Calculations in Clinical Research, section 3.1).
 */
export function smallestDetectable(estimate: Estimate, question: Pick<PowerQuestion, "delta" | "alpha">): number {
  return expm1(logMargin(question.delta) + reach(estimate, question.alpha));
}

/**
 * The rounds after which the seen ratio and spread, if true, would be settled as `faster` or as `equivalent`, whichever
 * comes first, with the power of the thresholds table. What of delta is above its least is the noise of A/A pairs, so it
 * is taken to shrink with the rounds as noise does.
 */
export function roundsNeeded(estimate: Estimate, question: PowerQuestion): RoundsNeeded {
  const distance = Math.abs(estimate.mean);
  const most = thresholds.mostRoundsAdvised.value;
  const settledAs = (rounds: number): "faster" | "equivalent" | null => {
    const then = afterRounds(estimate, rounds);
    if (then === null) return null;
    const delta = deltaAfter(question.delta, estimate.n, rounds);
    const reached = reach(then, question.alpha);
    if (reached < distance - logMargin(delta)) return "faster";
    return delta <= question.equivalence && reached < logMargin(question.equivalence) - distance ? "equivalent" : null;
  };
  if (settledAs(most) === null) return { kind: "unreachable" };
  let tooFew = thresholds.leastRounds.value - 1;
  let enough = most;
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1;
    if (settledAs(middle) === null) tooFew = middle;
    else enough = middle;
  }
  return { kind: "reachable", rounds: enough, verdict: settledAs(enough)! };
}

/** Returns delta after some rounds: what of it is above its least is the noise of A/A pairs. */
const deltaAfter = (delta: number, n: number, rounds: number): number =>
  Math.max(Math.min(delta, thresholds.leastDelta.value), delta * Math.sqrt(n / rounds));

/** Returns {@link smallestDetectable} of an estimate with the same spread after a given total of rounds. */
export function detectableAfter(
  estimate: Estimate,
  rounds: number,
  { delta, alpha }: Pick<PowerQuestion, "delta" | "alpha">,
) {
  const then = afterRounds(estimate, rounds);
  return then === null ? Infinity : smallestDetectable(then, { delta: deltaAfter(delta, estimate.n, rounds), alpha });
}

/** The figures of a stored comparison that its estimate follows from. */
type Stored = Pick<Judged, "rounds" | "ratio" | "interval" | "delta"> & {
  readonly smallest_detectable: number | null;
};

/**
 * Returns the estimate that a stored comparison was made from; null for a median ratio, which has none. Half of its interval
 * is t(1 - alpha/2) standard errors, and the smallest detectable difference lies t(power) further from delta: how far
 * tells the degrees of freedom.
 */
export function estimateBehind({ rounds, ratio, interval, delta, smallest_detectable: seen }: Stored): Estimate | null {
  if (seen === null) return null;
  const half = log(interval.high / interval.low) / 2;
  const wanted = (log1p(seen) - logMargin(delta)) / half - 1;
  const shareAt = (degrees: number) =>
    studentTQuantile(thresholds.power.value, degrees) / studentTQuantile((1 + interval.level) / 2, degrees);
  let degrees = 1;
  // The share grows with the degrees, so the middle of two neighbours separates them.
  while (degrees < 2 * rounds && (shareAt(degrees) + shareAt(degrees + 1)) / 2 < wanted) degrees++;
  return { n: rounds, mean: log(ratio), error: half / studentTQuantile((1 + interval.level) / 2, degrees), degrees };
}

/** Returns the distance of the true log ratio from an edge at which the interval clears the edge with the wanted power. */
function reach({ error, degrees }: Estimate, alpha: number): number {
  return (studentTQuantile(1 - alpha / 2, degrees) + studentTQuantile(thresholds.power.value, degrees)) * error;
}
