import {
  type Better,
  compare,
  compareUnpaired,
  type Comparison,
  type MeasuredComparison,
  ratioInterval,
  type RoundPair,
} from "./compare.ts";
import { holm, type HolmStep } from "./holm.ts";
import { isInsideMargin, pBeyondMargin, sideBeyondMargin } from "./margin.ts";
import type { NoiseFloor } from "./noise-floor.ts";
import { type RoundsNeeded, roundsNeeded, smallestDetectable } from "./power.ts";
import type { Interval } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/** What a verdict rests on: two servers sharing one core at the same time, or each alone. */
export type Basis = "duet" | "solo";

/** Two cells to be judged against each other. */
export interface Contest {
  readonly a: string;
  readonly b: string;
  readonly basis: Basis;
  readonly better: Better;
  /** Values in one unit: one pair a round, or those of two runs whose rounds do not belong together. */
  readonly pairs: readonly RoundPair[] | { readonly a: readonly number[]; readonly b: readonly number[] };
  /** Why these cells must not be judged (not server-bound, flagged, invalid); empty when nothing speaks against it. */
  readonly objections: readonly string[];
}

interface Judged {
  readonly a: string;
  readonly b: string;
  readonly basis: Basis;
}

interface Decided extends Judged {
  readonly n: number;
  /** Speed of a over speed of b. */
  readonly ratio: number;
  /** The interval the verdict was read from, at a confidence that makes up for the size of the family. */
  readonly interval: Interval;
  /** Holm-adjusted p against "the ratio differs from 1 by at most delta". */
  readonly adjustedP: number;
  /** Fraction a difference must exceed to count. */
  readonly delta: number;
  /** The true difference this contest would have called faster in 90 % of runs, as a fraction. */
  readonly smallestDetectable: number;
}

export type Verdict =
  | Decided & { readonly kind: "faster"; readonly winner: "a" | "b" }
  | Decided & { readonly kind: "equivalent"; readonly margin: number }
  | Decided & { readonly kind: "not-separable"; readonly roundsNeeded: RoundsNeeded }
  | Judged & { readonly kind: "no-verdict"; readonly cause: NoVerdictCause; readonly reasons: readonly string[] };

export type NoVerdictCause =
  | "marked-cell"
  | "run-contradicted"
  | "noise-floor-unknown"
  | "too-few-rounds"
  | "not-measured";

/**
 * Judges all contests shown together, in their order.
 *
 * `faster`: the whole interval beyond delta, and so the Holm-adjusted p against delta below 0.05. `equivalent`: the
 * whole interval inside max(2 %, delta). `not-separable`: neither. `no-verdict`: not to be judged, with the reason.
 *
 * Holm is applied to the p against +-delta, and the interval has the confidence of its Holm step, so the two always
 * agree. With a p against zero and a plain 95 % interval only the interval guards the edge: a family of 12 pairs that all
 * differ by exactly delta then has a false `faster` in 25 % of simulated runs, this way in 2.5 %; where nothing
 * differs both are safe. Equivalence is read from the interval of confidence 1 - 0.05 / family size, without Holm's
 * steps: contests called faster leave the null "not equivalent" of the others as true as before.
 *
 * @param floors the noise floor of each basis used
 */
export function judgeFamily(
  contests: readonly Contest[],
  floors: Readonly<Partial<Record<Basis, NoiseFloor>>>,
): Verdict[] {
  const findings = contests.map((contest) => examine(contest, floors[contest.basis]));
  const fit = findings.filter((finding) => finding.kind === "fit");
  const steps = holm(
    fit.map(({ comparison, delta }) => pBeyondMargin(comparison.logRatio, delta)),
    thresholds.familyAlpha.value,
  );
  const stepOf = new Map(fit.map((finding, index) => [finding, steps[index]!]));
  return findings.map((finding) =>
    finding.kind === "fit" ? decide(finding, stepOf.get(finding)!, fit.length) : finding.verdict
  );
}

/** A contest that may be judged, or the verdict that it may not. */
type Finding =
  | { readonly kind: "fit"; readonly contest: Contest; readonly comparison: MeasuredComparison; readonly delta: number }
  | { readonly kind: "unfit"; readonly verdict: Verdict };

function examine(contest: Contest, floor: NoiseFloor | undefined): Finding {
  const { a, b, basis } = contest;
  const unfit = (cause: NoVerdictCause, ...reasons: string[]): Finding => ({
    kind: "unfit",
    verdict: { kind: "no-verdict", a, b, basis, cause, reasons },
  });
  if (contest.objections.length > 0) return unfit("marked-cell", ...contest.objections);
  if (floor === undefined) return unfit("noise-floor-unknown", `the run has no A/A pair measured ${basis}`);
  if (floor.kind === "unknown") return unfit("noise-floor-unknown", floor.reason);
  if (floor.kind === "different") {
    return unfit("run-contradicted", "the run found a difference between a cell and itself");
  }

  const level = 1 - thresholds.familyAlpha.value;
  const comparison: Comparison = "a" in contest.pairs
    ? compareUnpaired(contest.pairs.a, contest.pairs.b, contest.better, level)
    : compare(contest.pairs, contest.better, level);
  const least = thresholds.leastRoundsForVerdict.value;
  if (comparison.n < least) return unfit("too-few-rounds", `${comparison.n} of the ${least} rounds a verdict needs`);
  if (comparison.kind === "unmeasured") return unfit("not-measured", comparison.reason);
  return { kind: "fit", contest, comparison, delta: floor.delta };
}

function decide(finding: Finding & { kind: "fit" }, step: HolmStep, familySize: number): Verdict {
  const { contest: { a, b, basis }, comparison: { n, ratio, logRatio }, delta } = finding;
  const margin = Math.max(thresholds.leastEquivalence.value, delta);
  const equivalenceAlpha = thresholds.familyAlpha.value / familySize;
  const interval = ratioInterval(logRatio, 1 - step.stepAlpha);
  const wide = ratioInterval(logRatio, 1 - equivalenceAlpha);
  const question = { delta, equivalence: margin, alpha: step.stepAlpha, equivalenceAlpha };
  const decided = {
    a,
    b,
    basis,
    n,
    ratio,
    interval,
    adjustedP: step.adjustedP,
    delta,
    smallestDetectable: smallestDetectable(logRatio, question),
  };
  const side = sideBeyondMargin(interval, delta);
  if (side !== null) return { ...decided, kind: "faster", winner: side === "above" ? "a" : "b" };
  if (isInsideMargin(wide, margin)) return { ...decided, kind: "equivalent", interval: wide, margin };
  return { ...decided, kind: "not-separable", roundsNeeded: roundsNeeded(logRatio, question) };
}
