import { isJudged } from "../record/verdicts.ts";
import type { Bisection } from "../record/bisection.ts";
import type { Comparison } from "../record/comparison.ts";
import { comparisonOf } from "../record/inverse.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { log } from "../statistics/logarithms.ts";

/** Times a step that stays undecided is made, each with twice the rounds of the one before. */
export const MOST_TRIES = 3;

/** The most undecided versions around a change at which the search ends. */
const MOST_UNCLEAR = 2;

/** The result of a bisection. Versions are given by their index in its list. */
type BisectFinding =
  /** The change came with `after`; versions between it and `before` could not be measured. */
  | { readonly kind: "step"; readonly before: number; readonly after: number; readonly step: Comparison }
  /** The change came after `before` and not after `after`: no step between these two was proven. */
  | { readonly kind: "narrowed"; readonly before: number; readonly after: number }
  /** No version alone made it; the largest part found, if one is proven, came with `after`. */
  | { readonly kind: "several"; readonly before: number; readonly after: number; readonly step: Comparison | null }
  /** The ends do not differ provably, and a version between differs from both. */
  | { readonly kind: "came-and-went"; readonly at: number }
  | { readonly kind: "no-difference" }
  /** No run had a verdict for the ends. */
  | { readonly kind: "undecided"; readonly mark: Mark };

/** The next step: measure versions together, or report the finding. */
export type NextStep =
  | {
    readonly kind: "measure";
    readonly middle: number | null;
    readonly places: readonly number[];
    /** The factor on the rounds of a first try. */
    readonly times: number;
    /** The most steps to the end, this one included, if each decides. */
    readonly ahead: number;
  }
  | {
    readonly kind: "found";
    readonly finding: BisectFinding;
    /** Both ends as compared by the last step that could separate them, or by the last step. */
    readonly ends: Comparison | null;
    /** Versions beyond both ends: the change was larger there, or in the other direction. */
    readonly beyond: readonly number[];
    /** Versions that were not separable from the middle of the change. */
    readonly unclear: readonly number[];
  };

/** A version that bounds the place of a change, and the share of the change it already has. */
interface Bound {
  readonly place: number;
  readonly share: number;
}

interface Search {
  low: Bound;
  high: Bound;
  tries: number;
  differed: boolean;
  ends: Comparison | null;
  readonly beyond: number[];
  readonly unclear: number[];
}

/**
 * Returns the next step of a bisection from those already made. The interval of a version's cost over the good end's
 * decides its side of the change. A version that is provably between both ends splits the change, and the search
 * continues in the larger part. At the end the two neighbours are compared, together with both ends: a step that leaves
 * a difference to one of these is only a part of the change.
 *
 * @throws RangeError for a step without a comparison that follows from those before it
 */
export function nextStep({ versions, left_out, steps }: Pick<Bisection, "versions" | "left_out" | "steps">): NextStep {
  const last = versions.length - 1;
  const search: Search = {
    low: { place: 0, share: 0 },
    high: { place: last, share: 1 },
    ...{ tries: 0, differed: false, ends: null, beyond: [], unclear: [] },
  };
  for (const step of steps) {
    // CPU time per request of the second over that of the first is the comparison's ratio.
    const between = (from: number, to: number) => {
      const found = comparisonOf(versions[from]!, versions[to]!, step.comparisons);
      if (found === undefined) throw new RangeError(`run "${step.run}" does not compare versions ${from} and ${to}`);
      return found;
    };
    const finding = step.middle === null
      ? takeNeighbours(search, between, last)
      : takeMiddle(search, between, step.middle, last);
    if (finding !== null) {
      const { ends, beyond, unclear } = search;
      return { kind: "found", finding, ends, beyond, unclear };
    }
  }
  const passed = new Set([...left_out.map(({ version }) => version), ...search.unclear]);
  const middle = search.unclear.length >= MOST_UNCLEAR ? null : middleOf(search, passed);
  const inner = middle === null ? [search.low.place, search.high.place] : [middle];
  const places = [...new Set([0, ...inner, last])].sort((a, b) => a - b);
  const ahead = middle === null ? 1 : 1 + Math.ceil(Math.log2(search.high.place - search.low.place));
  return { kind: "measure", middle, places, times: 2 ** search.tries, ahead };
}

type Between = (from: number, to: number) => Comparison;

const isProven = ({ verdict }: Comparison) => verdict === "faster" || verdict === "slower";

/** Logarithms of a ratio and its interval, as shares of the ends'; null without a verdict on either. */
function shareOf({ ratio, interval }: Comparison, ends: Comparison) {
  if (ratio === null || ends.ratio === null) return null;
  const whole = log(ends.ratio);
  const [a, b] = [interval.low, interval.high].map((each) => log(each) / whole);
  return { share: log(ratio) / whole, low: Math.min(a!, b!), high: Math.max(a!, b!) };
}

function takeMiddle(search: Search, between: Between, middle: number, last: number): BisectFinding | null {
  const ends = endsOf(search, between, last);
  const [first, second] = [between(0, middle), between(middle, last)];
  if (isProven(ends)) {
    const share = clearShare(search, first, second, ends);
    if (share !== null) {
      if (isProven(first) && share < 0 || isProven(second) && share > 1) search.beyond.push(middle);
      search[share < halfOf(search) ? "low" : "high"] = { place: middle, share };
      search.tries = 0;
      return null;
    }
  } else if (!search.differed) {
    const isBack = isProven(first) && isProven(second) && first.ratio! > 1 !== second.ratio! > 1;
    if (isBack) return { kind: "came-and-went", at: middle };
    if (ends.verdict === "equivalent") return { kind: "no-difference" };
  }
  if (++search.tries < MOST_TRIES) return null;
  if (!search.differed) return endOfAlike(ends);
  // An inconclusive version stays open; the next try is its neighbour.
  search.unclear.push(middle);
  search.tries = 0;
  return null;
}

/** The position of the middle of the interval that may contain the change, as a share of the ends' difference. */
const halfOf = ({ low, high }: Search) => (low.share + high.share) / 2;

/** The share of the change that a version between has, where it is clear on which side of the middle; else null. */
function clearShare(search: Search, first: Comparison, second: Comparison, ends: Comparison): number | null {
  const portion = shareOf(first, ends);
  if (portion === null || second.ratio === null) return null;
  const { share, low, high } = portion;
  const half = halfOf(search);
  const isBeyond = isProven(first) && share < 0 || isProven(second) && share > 1;
  const isParted = isProven(first) && isProven(second);
  return isBeyond || isParted || high < half || low > half ? share : null;
}

function takeNeighbours(search: Search, between: Between, last: number): BisectFinding | null {
  const ends = endsOf(search, between, last);
  const { low: { place: before }, high: { place: after } } = search;
  if (ends.verdict === "equivalent" && !search.differed) return { kind: "no-difference" };
  const step = between(before, after);
  if (isProven(ends) && isProven(step) && step.ratio! > 1 === ends.ratio! > 1) {
    const rest = [...(before === 0 ? [] : [between(0, before)]), ...(after === last ? [] : [between(after, last)])];
    if (rest.some(isProven)) return { kind: "several", before, after, step };
    // Intervals that may hold half of the change get more rounds.
    const isOpen = rest.some((one) => (shareOf(one, ends)?.high ?? 1) > 0.5);
    if (!isOpen || search.tries + 1 >= MOST_TRIES) return { kind: "step", before, after, step };
  }
  if (++search.tries < MOST_TRIES) return null;
  if (!search.differed) return endOfAlike(ends);
  const isPart = isProven(ends) && (shareOf(step, ends)?.high ?? 1) < 1;
  return isPart ? { kind: "several", before, after, step: null } : { kind: "narrowed", before, after };
}

/** Both ends as this step compares them; kept for the end where it is proof, or nothing was yet. */
function endsOf(search: Search, between: Between, last: number): Comparison {
  const ends = between(0, last);
  if (isProven(ends) || !search.differed) search.ends = ends;
  search.differed ||= isProven(ends);
  return ends;
}

const endOfAlike = (ends: Comparison): BisectFinding =>
  !isJudged(ends) ? { kind: "undecided", mark: ends.marks[0]! } : { kind: "no-difference" };

/** The version nearest to the middle of those that may have made the change; null if none is left. */
function middleOf({ low, high }: Search, passed: ReadonlySet<number>): number | null {
  const between = Array.from({ length: high.place - low.place - 1 }, (_, n) => low.place + 1 + n)
    .filter((place) => !passed.has(place));
  const centre = (low.place + high.place) / 2;
  const far = (place: number) => Math.abs(place - centre);
  return between.length === 0 ? null : between.reduce((best, place) => far(place) < far(best) ? place : best);
}
