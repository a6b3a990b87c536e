/** Counts of comparisons by their verdicts and by the marks that withhold these, for every output. */
import { counted, withoutStop } from "../basics/units.ts";
import type { Comparison } from "../record/comparison.ts";
import { isDecided, isJudged } from "../record/verdicts.ts";
import { type MarkCode, rowOf } from "../record/mark.ts";
import type { Question } from "./questions.ts";

/** Numbers of comparisons; `decided + open + withheld = all`. */
interface VerdictCounts {
  readonly all: number;
  /** Faster, slower or equivalent. */
  readonly decided: number;
  /** Judged, and not separable. */
  readonly open: number;
  /** Without a verdict, as marks withhold it. */
  readonly withheld: number;
}

/** Counts comparisons by their verdicts. */
export function verdictCounts(comparisons: readonly Pick<Comparison, "verdict">[]): VerdictCounts {
  const decided = comparisons.filter(isDecided).length;
  const withheld = comparisons.filter((one) => !isJudged(one)).length;
  return { all: comparisons.length, decided, open: comparisons.length - decided - withheld, withheld };
}

/** Returns all comparisons of a question, over its places. */
export const comparisonsOf = ({ places }: Pick<Question, "places">): Comparison[] =>
  places.flatMap(({ comparisons }) => comparisons.map(({ comparison }) => comparison));

/** `34 of 45 comparisons decided`. */
export const decidedText = ({ all, decided }: Pick<VerdictCounts, "all" | "decided">): string =>
  `${decided} of ${counted(all, "comparison")} decided`;

/** `34 of 45 comparisons decided, 7 open, 4 without a verdict`. */
export function countsText({ open, withheld, ...counts }: VerdictCounts): string {
  const rest = [...(open === 0 ? [] : [`${open} open`]), ...(withheld === 0 ? [] : [`${withheld} without a verdict`])];
  return [decidedText(counts), ...rest].join(", ");
}

/** Returns true if a comparison has no verdict for a mark of its cells. */
export const isOfCells = (one: Comparison): boolean => !isJudged(one) && rowOf(one.marks[0]!).of !== "run";

/** A kind of reason in the words of the first, and of how many comparisons it is one. */
export interface Withholding {
  readonly code: MarkCode;
  readonly text: string;
  readonly of: number;
}

/** Returns the reasons for which comparisons have no verdict, the commonest first. */
export function withheldBy(comparisons: readonly Comparison[]): Withholding[] {
  const reasons = comparisons.flatMap((one) => !isJudged(one) ? one.marks.map((mark) => ({ one, ...mark })) : []);
  return [...Map.groupBy(reasons, ({ code }) => code)]
    .map(([code, same]) => ({
      code,
      text: withoutStop(same[0]!.text),
      of: new Set(same.map(({ one }) => one)).size,
    }))
    .toSorted((a, b) => b.of - a.of);
}
