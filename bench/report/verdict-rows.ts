/** Verdicts as ratios to one value of each question. */
import { isJudged, type Judged, shownInterval, VERDICTS } from "../record/verdicts.ts";
import type { Plan } from "../record/plan.ts";
import { slowestOf } from "../result/picks.ts";
import { type Place, questionsOf, warnedLast } from "../result/questions.ts";
import { comparisonsOf, verdictCounts, withheldBy, type Withholding } from "../result/verdict-counts.ts";
import type { Comparison } from "../record/comparison.ts";
import { inverse } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";
import { counted, formatRatio, orDash } from "../basics/units.ts";

/** A value against the baseline at one place, by its comparison over it. */
export type VerdictRow = Comparison & { readonly value: string };

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
      groups: warnedLast(places).map((place) => groupOf(place, baseline)),
      decided,
      of: all,
      withheld: withheldBy(compared),
    };
  });
}

/** True if any value was judged against the baseline. */
export const isPanelJudged = ({ groups }: Pick<VerdictPanel, "groups">): boolean =>
  groups.some(({ rows }) => rows.some(isJudged));

function groupOf(place: Place, wanted: string): VerdictGroup {
  const baseline = place.values.includes(wanted) ? wanted : place.values[0]!;
  const rows = place.comparisons.flatMap(({ over, under, comparison }) =>
    under === baseline
      ? { ...comparison, value: over }
      : over === baseline
      ? { ...inverse(comparison), value: under }
      : []
  );
  return {
    at: Object.values(place.at).filter((text) => text !== "").join(", "),
    baseline,
    rows: rows.toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0)),
  };
}

/** The verdict in words: `faster`, `not decided, needs 11 rounds`, `no verdict: …`. */
export function verdictWords(comparison: Comparison): string {
  const { word } = VERDICTS[comparison.verdict];
  if (!isJudged(comparison)) return `${word}: ${comparison.marks[0]!.text}`;
  const { rounds_needed: needed } = comparison;
  return `${word}${needed === null ? "" : `, needs ${counted(needed, "round")}`}`;
}

/** `1.33 ×`, of what is proven slower `2.50 × slower`. */
export const shortRatio = (one: Judged): string =>
  `${one.lower_bound === undefined ? "" : "≥ "}${
    one.verdict === "slower" ? `${formatRatio(1 / one.ratio)} × slower` : `${formatRatio(one.ratio)} ×`
  }`;

/** `1.33 × [1.21, 1.46]`, of what is proven slower `2.50 × slower [2.01, 3.16]`. */
export function ratioText(one: Judged): string {
  const shown = shownInterval(one);
  const [low, high] = one.verdict === "slower" ? [1 / shown.high, 1 / shown.low] : [shown.low, shown.high];
  return `${shortRatio(one)} [${formatRatio(low)}, ${formatRatio(high)}]`;
}

/** The head and the rows of the table behind the picture. */
export function verdictTable(panel: VerdictPanel): { readonly heads: string[]; readonly rows: string[][] } {
  return {
    heads: ["at", panel.title, "over", "ratio of speed", "low", "high", "verdict"],
    rows: panel.groups.flatMap(({ at, baseline, rows }) =>
      rows.map((row) => {
        const { low, high } = isJudged(row) ? shownInterval(row) : { low: null, high: null };
        const ratios = [row.ratio, low, high].map((each) => orDash(each, formatRatio));
        return [at || "–", row.value, baseline, ...ratios, verdictWords(row)];
      })
    ),
  };
}
