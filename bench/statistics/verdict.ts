import { counted } from "../basics/units.ts";
import type { MeasuredComparison } from "./compare.ts";
import { ratioInterval } from "./estimate.ts";
import { compareBy, type Evidence } from "./evidence.ts";
import { isInsideMargin, pBeyondMargin, sideBeyondMargin } from "./margin.ts";
import { type RoundsNeeded, roundsNeeded, smallestDetectable } from "./power.ts";
import { adjustedP, type FamilyLevel, familyLevel } from "./simultaneous.ts";
import type { Interval } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/** What a verdict rests on: servers sharing one core at the same time, or each alone. */
export type Basis = "together" | "solo";

/** Two cells to be judged against each other. */
export interface Contest {
  /** Names of the cells, in a table of blocks those of its members. */
  readonly a: string;
  readonly b: string;
  readonly basis: Basis;
  readonly evidence: Evidence;
  /** Why these cells must not be judged (not server-bound, flagged, invalid); empty when nothing speaks against it. */
  readonly objections: readonly string[];
  /** What may have moved the ratio, and how far at most, as a fraction: nothing closer than that is called. */
  readonly doubt?: { readonly reason: string; readonly most: number } | undefined;
}

/** What a family is held against: a noise floor, or what else says how far differences are not to be believed. */
export type Floor =
  | {
    readonly kind: "agree" | "different";
    /** The margin a ratio must clear, as a fraction: 0.01 is 1 %. */
    readonly delta: number;
  }
  | { readonly kind: "unknown"; readonly reason: string };

interface Judged {
  readonly a: string;
  readonly b: string;
  readonly basis: Basis;
}

interface Decided extends Judged {
  /** Rounds, or runs of the side with fewer. */
  readonly n: number;
  /** Speed of a over speed of b. */
  readonly ratio: number;
  /** The interval the verdict was read from: all of a family hold together. Its level is that of the one interval. */
  readonly interval: Interval;
  /** p against "the ratio differs from 1 by at most delta", adjusted for the family. */
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
  | NoVerdict;

/** A contest that must not or cannot be judged, and why. */
export type NoVerdict = Judged & {
  readonly kind: "no-verdict";
  readonly cause: NoVerdictCause;
  readonly reasons: readonly string[];
};

export type NoVerdictCause =
  | "marked-cell"
  | "run-contradicted"
  | "noise-floor-unknown"
  | "too-few-rounds"
  | "too-few-runs"
  | "not-measured";

/** The verdicts of a family, in the order of its contests, and how sure they are together. */
export interface JudgedFamily {
  readonly verdicts: Verdict[];
  readonly family: FamilyLevel;
}

/**
 * Judges all contests that are shown for one question, in their order. Every decision is read from intervals that hold
 * together with 95 %, see {@link familyLevel}; a contest that may not be judged does not count.
 *
 * `faster`: the whole interval beyond delta, and so the adjusted p against delta below 0.05. `equivalent`: the whole
 * interval inside a fixed margin of 2 %, and delta no larger: a margin that grew with the noise would let noise make
 * cells equal. `not-separable`: neither. `no-verdict`: not to be judged, with the reason. Where there is a doubt, only a
 * whole interval that it cannot move to delta is called `faster`; anything else gets no verdict, with the doubt.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { judgeFamily } from "levelfield/statistics";
 * const rates = [[130, 100], [133, 101], [128, 99], [131, 102], [129, 100], [134, 102]] as const;
 * const pairs = rates.map(([a, b], round) => ({ round, a, b }));
 * const contest = { a: "bun", b: "node", basis: "solo", objections: [] } as const;
 * const { verdicts } = judgeFamily(
 *   [{ ...contest, evidence: { kind: "rounds", pairs, better: "higher" } }],
 *   { solo: { kind: "agree", delta: 0.01 } },
 * );
 * assert.ok(verdicts[0]!.kind === "faster" && verdicts[0]!.winner === "a");
 * ```
 *
 * @param floors what each basis used is held against
 */
export function judgeFamily(
  contests: readonly Contest[],
  floors: Readonly<Partial<Record<Basis, Floor>>>,
): JudgedFamily {
  const findings = contests.map((contest) => examine(contest, floors[contest.basis]));
  const family = familyLevel(findings.filter(({ kind }) => kind === "fit").length);
  const verdicts = findings.map((finding) => finding.kind === "fit" ? decide(finding, family) : finding.verdict);
  return { verdicts, family };
}

/** A contest that may be judged, or the verdict that it may not. */
type Finding =
  | { readonly kind: "fit"; readonly contest: Contest; readonly comparison: MeasuredComparison; readonly delta: number }
  | { readonly kind: "unfit"; readonly verdict: NoVerdict };

function examine(contest: Contest, floor: Floor | undefined): Finding {
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
  const comparison = compareBy(contest);
  const { n } = comparison;
  if (contest.evidence.kind === "runs") {
    const least = thresholds.leastRuns.value;
    if (n < least) return unfit("too-few-runs", `${n} of the ${counted(least, "run")} a side that a verdict needs`);
  } else {
    const least = thresholds.leastRounds.value;
    if (n < least) return unfit("too-few-rounds", `${n} of the ${counted(least, "round")} a verdict needs`);
  }
  if (comparison.kind === "unmeasured") return unfit("not-measured", comparison.reason);
  return { kind: "fit", contest, comparison, delta: floor.delta };
}

function decide({ contest, comparison, delta }: Finding & { kind: "fit" }, family: FamilyLevel): Verdict {
  const { a, b, basis, doubt } = contest;
  const { n, ratio, logRatio } = comparison;
  const margin = thresholds.equivalence.value;
  const interval = ratioInterval(logRatio, family.levelEach);
  const question = { delta, equivalence: margin, alpha: 1 - family.levelEach };
  const decided = {
    a,
    b,
    basis,
    n,
    ratio,
    interval,
    adjustedP: adjustedP(pBeyondMargin(logRatio, delta), family),
    delta,
    smallestDetectable: smallestDetectable(logRatio, question),
  };
  const side = sideBeyondMargin(interval, (1 + delta) * (1 + (doubt?.most ?? 0)) - 1);
  if (side !== null) return { ...decided, kind: "faster", winner: side === "above" ? "a" : "b" };
  if (doubt !== undefined) return { kind: "no-verdict", a, b, basis, cause: "marked-cell", reasons: [doubt.reason] };
  if (delta <= margin && isInsideMargin(interval, margin)) return { ...decided, kind: "equivalent", margin };
  return { ...decided, kind: "not-separable", roundsNeeded: roundsNeeded(logRatio, question) };
}
