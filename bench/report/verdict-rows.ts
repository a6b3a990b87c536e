/** Verdicts as ratios to one value of each question. */
import { isJudged, shownInterval, VERDICTS } from "../record/verdicts.ts";
import type { Plan } from "../record/plan.ts";
import { slowestOf } from "../result/picks.ts";
import { calmFirst, type Place, questionsOf } from "../result/questions.ts";
import { comparisonsOf, verdictCounts, withheldBy, type Withholding } from "../result/verdict-counts.ts";
import type { Comparison } from "../record/comparison.ts";
import { seenFrom } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";
import { counted, dash, formatRatio } from "../basics/units.ts";

/** A value against the baseline at one place. Ratios are its speed over the baseline's. */
export interface VerdictRow {
  readonly value: string;
  readonly cell: string;
  readonly against: string;
  readonly verdict: Comparison["verdict"];
  readonly ratio: number | null;
  /** The interval that the verdict was read from: where nothing is decided it holds 1. */
  readonly low: number | null;
  readonly high: number | null;
  /** The value whose figures are lower bounds, so that the ratio is at least or at most this; null without. */
  readonly bounded: "value" | "baseline" | null;
  readonly basis: Comparison["basis"];
  /** The verdict in words: `faster`, `not decided, needs 11 rounds`, `no verdict: …`. */
  readonly words: string;
}

interface VerdictGroup {
  readonly at: string;
  /** Each place has the panel's baseline, unless that was not compared there. */
  readonly baseline: string;
  readonly rows: readonly VerdictRow[];
}

/** One question. */
export interface VerdictPanel {
  readonly axis: string | null;
  readonly title: string;
  readonly values: readonly string[];
  readonly baseline: string;
  readonly groups: readonly VerdictGroup[];
  /** Of all comparisons of the question, also those without the baseline. */
  readonly decided: number;
  readonly of: number;
  /** Reasons for which comparisons of the question have no verdict, the commonest first. */
  readonly withheld: readonly Withholding[];
}

/** The questions of a run with their verdicts. */
export function verdictPanels({ plan, summary }: {
  readonly plan: Pick<Plan, "axes">;
  readonly summary: Pick<Summary, "families" | "cells">;
}): VerdictPanel[] {
  return questionsOf(plan, summary.families, summary.cells).map((question) => {
    const { axis, title, values, places } = question;
    const baseline = slowestOf(question);
    const compared = comparisonsOf(question);
    const { decided, all } = verdictCounts(compared);
    return {
      axis,
      title,
      values,
      baseline,
      groups: calmFirst(places).map((place) => groupOf(place, baseline)),
      decided,
      of: all,
      withheld: withheldBy(compared),
    };
  });
}

/** True if any value was judged against the baseline. */
export const isPanelJudged = ({ groups }: Pick<VerdictPanel, "groups">): boolean =>
  groups.some(({ rows }) => rows.some(({ ratio }) => ratio !== null));

function groupOf(place: Place, wanted: string): VerdictGroup {
  const baseline = place.values.includes(wanted) ? wanted : place.values[0]!;
  const rows = place.comparisons.flatMap(({ over, under, comparison }) =>
    under === baseline
      ? rowOf(over, comparison)
      : over === baseline
      ? rowOf(under, seenFrom(comparison.under, comparison))
      : []
  );
  return {
    at: Object.values(place.at).filter((text) => text !== "").join(", "),
    baseline,
    rows: rows.toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0)),
  };
}

/** @param comparison the value over the baseline */
function rowOf(value: string, comparison: Comparison): VerdictRow {
  const { basis, verdict, over: cell, under: against } = comparison;
  const { word } = VERDICTS[verdict];
  const shared = { value, cell, against, basis, verdict };
  if (!isJudged(comparison)) {
    const words = `${word}: ${comparison.marks[0]!.text}`;
    return { ...shared, ratio: null, low: null, high: null, bounded: null, words };
  }
  const { ratio, rounds_needed: needed, lower_bound } = comparison;
  return {
    ...shared,
    ratio,
    ...shownInterval(comparison),
    bounded: lower_bound === undefined ? null : lower_bound === "over" ? "value" : "baseline",
    words: `${word}${needed === null ? "" : `, needs ${counted(needed, "round")}`}`,
  };
}

/** `1.33 ×`, of what is proven slower `2.50 × slower`. */
export const shortRatio = ({ verdict, ratio, bounded = null }: Shown): string => {
  if (ratio === null) return "–";
  const sign = bounded === null ? "" : "≥ ";
  return verdict === "slower" ? `${sign}${formatRatio(1 / ratio)} × slower` : `${sign}${formatRatio(ratio)} ×`;
};

type Shown = Pick<VerdictRow, "verdict" | "ratio"> & Partial<Pick<VerdictRow, "bounded">>;

/** `1.33 × [1.21, 1.46]`, of what is proven slower `2.50 × slower [2.01, 3.16]`; a dash without a verdict. */
export function ratioText(row: Shown & Pick<VerdictRow, "low" | "high">): string {
  if (row.low === null || row.high === null) return "–";
  const [low, high] = row.verdict === "slower" ? [1 / row.high, 1 / row.low] : [row.low, row.high];
  return `${shortRatio(row)} [${formatRatio(low)}, ${formatRatio(high)}]`;
}

/** The head and the rows of the table behind the picture. */
export function verdictTable(panel: VerdictPanel): { readonly heads: string[]; readonly rows: string[][] } {
  return {
    heads: ["at", panel.title, "over", "ratio of speed", "low", "high", "verdict"],
    rows: panel.groups.flatMap(({ at, baseline, rows }) =>
      rows.map(({ value, ratio, low, high, words }) => [
        at || "–",
        value,
        baseline,
        ...[ratio, low, high].map((each) => dash(each, formatRatio)),
        words,
      ])
    ),
  };
}
