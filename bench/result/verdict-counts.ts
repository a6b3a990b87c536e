/** The numbers of comparisons by their verdicts: every output takes them from here. It takes no library, because the page runs it too. */
import { counted } from "../basics/units.ts";
import type { Comparison } from "../record/comparison.ts";
import { isDecided } from "../record/inverse.ts";
import type { Question } from "./questions.ts";

/** Numbers of comparisons; `decided + open + withheld = all`. */
export interface VerdictCounts {
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
  const withheld = comparisons.filter(({ verdict }) => verdict === "no-verdict").length;
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
