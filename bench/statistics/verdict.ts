import { lossText } from "./lacks.ts";
import { counted } from "../basics/units.ts";
import type { Comparison, NoVerdict } from "../record/comparison.ts";
import { mark, type MarkCode } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { MeasuredRatio } from "./compare.ts";
import { coreSlope } from "./core-speed.ts";
import { ratioInterval } from "./estimate.ts";
import { leastForMedianInterval } from "./median.ts";
import { medianRatioInterval, signsBeyondMargin } from "./median-ratio.ts";
import { compareBy, type Compared } from "./evidence.ts";
import { isInsideMargin, pBeyondMargin, sideBeyondMargin } from "./margin.ts";
import { roundsNeeded, smallestDetectable } from "./power.ts";
import { thresholds } from "./thresholds.ts";

/** The kind of measurement under a verdict: servers that share one core at the same time, or each alone. */
type Basis = Comparison["basis"];

/** Two cells to be judged against each other. */
export interface ComparisonInput extends Compared {
  readonly basis: Basis;
  /** Marks that keep these cells from a verdict; empty without any. */
  readonly marks: readonly Mark[];
  /**
   * The mark of an influence that may have moved the ratio, and by how much at most, as a fraction. Smaller differences
   * get no verdict.
   */
  readonly doubt?: { readonly mark: Mark; readonly most: number } | undefined;
  /** The least difference that its figures can show, as a fraction: a microsecond of a quantile. */
  readonly resolution?: number;
  /** The side whose figures are lower bounds, with the marks that say so: it may be called faster, and nothing else. */
  readonly limit?: { readonly side: "over" | "under"; readonly marks: readonly Mark[] } | undefined;
  /** Members of the table that show the speed of the core, see `coreSlope`; absent if none can. */
  readonly gauge?: readonly string[];
}

/** The difference below which a family gets no verdict: a noise floor, or another bound. */
export type Floor =
  | {
    readonly kind: "agree" | "different";
    /** The margin a ratio must clear, as a fraction: 0.01 is 1 %. */
    readonly delta: number;
  }
  | { readonly kind: "unknown"; readonly mark: Mark };

/**
 * Judges all comparisons that are shown for one question, in their order. Every decision is read from intervals that
 * hold together with 95 %, see {@link familyLevel}; a comparison that may not be judged does not count.
 *
 * `faster` and `slower`: the whole interval beyond delta, and so the adjusted p against delta below 0.05. `equivalent`:
 * the whole interval inside a fixed margin of 2 %, and delta no larger: a margin that grew with the noise would let
 * noise make cells equal. `not-separable`: neither. `no-verdict`: not to be judged, with the reason. Where there is a
 * doubt, only a whole interval that it cannot move to delta is called `faster`; anything else gets no verdict, with the
 * doubt. Where one side's figures are lower bounds, that side may be called `faster`, by at least the ratio.
 *
 * @param floors noise floor of each basis used
 * @param looks how many such families are one question: their intervals hold together. Looks at one run that goes on are such
 *   families: repeated confidence intervals by Bonferroni (Jennison and Turnbull, JRSS B 51, 1989)
 */
export function judgeFamily(
  inputs: readonly ComparisonInput[],
  floors: Readonly<Partial<Record<Basis, Floor>>>,
  looks = 1,
): { readonly comparisons: Comparison[]; readonly family: FamilyLevel } {
  const examined = inputs.map((input) => examine(input, floors[input.basis]));
  const family = familyLevel(looks * examined.filter((one) => "logRatio" in one).length);
  return { comparisons: examined.map((one, n) => "logRatio" in one ? decide(inputs[n]!, one, family) : one), family };
}

/** Returns a comparison without a verdict. */
export function noVerdict(
  { over, under, basis }: Pick<Comparison, "over" | "under" | "basis">,
  marks: readonly Mark[],
): NoVerdict {
  return { verdict: "no-verdict", over, under, basis, ratio: null, interval: null, marks: [...marks] };
}

/** Returns the ratio of a comparison that may be judged, with the difference that counts. */
function examine(
  input: ComparisonInput,
  floor: Floor | undefined,
): MeasuredRatio & { readonly delta: number } | NoVerdict {
  const { basis, evidence, marks } = input;
  const unfit = (code: MarkCode, text: string) => noVerdict(input, [mark(code, text)]);
  if (marks.length > 0) return noVerdict(input, marks);
  if (floor === undefined) return unfit("noise-floor-unknown", `the run has no A/A pair measured ${basis}`);
  if (floor.kind === "unknown") return noVerdict(input, [floor.mark]);
  if (floor.kind === "different") {
    return unfit("run-contradicted", "the run found a difference between a cell and itself");
  }
  const estimate = compareBy(input);
  const { n } = estimate;
  if (evidence.kind === "runs") {
    const least = thresholds.leastRuns.value;
    if (n < least) return unfit("too-few-runs", `${n} of the ${counted(least, "run")} a side that a verdict needs`);
  } else {
    const least = thresholds.leastRounds.value;
    if (n < least) return unfit("too-few-rounds", `${n} of the ${counted(least, "round")} a verdict needs`);
  }
  if (estimate.kind === "unmeasured") return unfit("not-measured", lossText(estimate.lack));
  return { ...estimate, delta: Math.max(floor.delta, input.resolution ?? 0) };
}

function decide(
  input: ComparisonInput,
  { n, ratio, logRatio, ratios, delta }: Exclude<ReturnType<typeof examine>, NoVerdict>,
  family: FamilyLevel,
): Comparison {
  const { over, under, basis, doubt, limit, evidence, gauge = [] } = input;
  const margin = thresholds.equivalence.value;
  const interval = ratios === undefined
    ? ratioInterval(logRatio, family.levelEach)
    : medianRatioInterval(ratios, family.levelEach);
  if (interval === null) {
    const least = leastForMedianInterval(family.levelEach);
    return noVerdict(input, [mark("too-few-rounds", `${n} of the ${counted(least, "round")} a verdict needs`)]);
  }
  const question = { delta, equivalence: margin, alpha: 1 - family.levelEach };
  // Power is that of the t test; of medians it is not known.
  const detectable = ratios === undefined ? smallestDetectable(logRatio, question) : Infinity;
  const core = evidence.kind === "blocks"
    ? coreSlope(evidence.table, over, under, { gauge, delta, level: family.levelEach })
    : null;
  const decided = {
    over,
    under,
    basis,
    rounds: n,
    ratio,
    interval,
    adjusted_p: adjustedP(
      ratios === undefined ? pBeyondMargin(logRatio, delta) : signsBeyondMargin(ratios, delta),
      family,
    ),
    delta,
    smallest_detectable: Number.isFinite(detectable) ? detectable : null,
    rounds_needed: null,
    ...(core === null ? {} : { core }),
  };
  const side = sideBeyondMargin(interval, (1 + delta) * (1 + (doubt?.most ?? 0)) - 1);
  const isKnown = limit === undefined || side === (limit.side === "over" ? "above" : "below");
  if (limit !== undefined && !isKnown) return noVerdict(input, limit.marks);
  const bounded = limit === undefined ? {} : { lower_bound: limit.side };
  if (side !== null) return { ...decided, ...bounded, verdict: side === "above" ? "faster" : "slower" };
  if (doubt !== undefined) return noVerdict(input, [doubt.mark]);
  if (delta <= margin && isInsideMargin(interval, margin)) return { ...decided, verdict: "equivalent" };
  const needed = ratios === undefined ? roundsNeeded(logRatio, question) : null;
  return { ...decided, verdict: "not-separable", rounds_needed: needed?.kind === "reachable" ? needed.rounds : null };
}

/** The confidence of a family's intervals. */
export interface FamilyLevel {
  /** The number of its comparisons. */
  readonly comparisons: number;
  /** Confidence that all of its intervals hold together. */
  readonly level: number;
  /** Confidence of each interval by itself. */
  readonly levelEach: number;
}

/**
 * Returns the confidence of each interval at which all of a family hold together with 95 %: Bonferroni's 1 - 0.05 /
 * comparisons, valid for any dependence.
 *
 * The exact joint distribution (Hothorn, Bretz and Westfall, Biometrical Journal 50, 2008) would narrow them by at most
 * 1.3 %, by simulation. That is not worth a seed.
 */
export function familyLevel(comparisons: number): FamilyLevel {
  const alpha = thresholds.familyAlpha.value;
  return { comparisons, level: 1 - alpha, levelEach: 1 - alpha / Math.max(1, comparisons) };
}

/** A p value as it counts in a family: below 0.05 exactly when the family's interval excludes what is tested. */
export function adjustedP(p: number, { comparisons }: FamilyLevel): number {
  return Math.min(1, p * comparisons);
}
