import { isJudged, isOpen, type Judged, shownInterval, VERDICTS } from "../record/verdicts.ts";
import { MAIN, textOf } from "../record/cell.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Comparison } from "../record/comparison.ts";
import { fasterFirst } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";
import { verdictCounts, withheldBy } from "../result/verdict-counts.ts";
import { counted, formatRatio, percent } from "../basics/units.ts";
import { printable } from "./align.ts";
import { marksBeside } from "./question-texts.ts";
import type { Style, TextOptions } from "./style.ts";
import { wrapped } from "./wrap.ts";

type Family = Omit<Summary["families"][number], "ranking" | "unranked">;

/** Contradictions within the run that its answer does not name, one line each, for the top; empty for a sound run. */
export function markLines(summary: Pick<Summary, "marks" | "answer">, { style, columns }: TextOptions): string {
  return marksBeside(summary).flatMap(({ text }) =>
    wrapped(printable(text), columns - 2).map((line, n) => `${n === 0 ? style.red("!") : " "} ${style.bold(line)}\n`)
  ).join("");
}

/** The short name of a cell inside its family: what its members do not share. */
export function memberName(
  axes: readonly PlanAxis[],
  summary: Pick<Summary, "cells">,
  family: Pick<Family, "kind" | "axis">,
  name: string,
): string {
  const cell = summary.cells.find((entry) => entry.name === name)?.cell;
  if (cell === undefined || family.kind === "pair") return name;
  const axis = axes.find((candidate) => candidate.name === family.axis);
  if (family.kind === "label" || axis === undefined) return cell.label;
  const text = textOf(axis, cell.point.at);
  return cell.label === MAIN ? text : `${text}@${cell.label}`;
}

/** Why rounds that agree on which is faster decide nothing: copies of one server differed as much. */
function copiesText(judged: Judged): string {
  const { low, high } = judged.interval, isApart = low > 1 || high < 1;
  if (!isOpen(judged) || !isApart) return "";
  return ` (the rounds agree, but two copies of one server differed by up to ${percent(judged.delta)})`;
}

/** One verdict in words: `deno faster than node by 1.31× [1.28, 1.35]`. */
export function verdictText(
  axes: readonly PlanAxis[],
  summary: Pick<Summary, "cells">,
  family: Pick<Family, "kind" | "axis">,
  comparison: Comparison,
): string {
  const reported = fasterFirst(comparison);
  const [over, under] = [reported.over, reported.under].map((name) => memberName(axes, summary, family, name));
  const { word, ofMemory } = VERDICTS[reported.verdict];
  if (!isJudged(reported)) return `${over} and ${under}: ${word}, ${reported.marks[0]!.text}`;
  const { ratio, rounds_needed, lower_bound, basis } = reported;
  const { low, high } = shownInterval(reported);
  const bound = lower_bound === undefined ? "" : "at least ";
  const range = `${bound}${formatRatio(ratio)}× [${formatRatio(low)}, ${formatRatio(high)}]${coreText(reported)}`;
  if (reported.verdict === "faster") {
    return `${over} ${basis === "memory" ? ofMemory : word} than ${under} by ${range}`;
  }
  const needed = rounds_needed === null ? "" : `, ${counted(rounds_needed, "round")} would tell`;
  return `${over} and ${under}: ${word}, ${range}${needed}${copiesText(reported)}`;
}

function coreText({ core }: Judged): string {
  if (core === undefined) return "";
  const [slow, fast] = [core.slow, core.fast].map((at) => `${formatRatio(at.ratio)}×`);
  return `, ${slow} where the core was slow, ${fast} where it was fast`;
}

/** The verdicts of a run in words, family by family, those without any left out. */
export function verdictLines(
  run: Pick<RunRecord, "plan">,
  summary: Pick<Summary, "cells" | "noise_floor"> & { readonly families: readonly Family[] },
  style: Style,
  title = "Verdicts",
): string {
  const all = summary.families.flatMap((family) => family.comparisons);
  const judged = all.filter((one) => isJudged(one));
  if (judged.length === 0) {
    const [often] = withheldBy(all);
    return often === undefined ? "" : style.dim(printable(`No verdicts: ${often.text}`)) + "\n\n";
  }
  const { together, solo } = summary.noise_floor;
  const floor = together.kind === "unknown" ? solo : together;
  const delta = floor.kind === "unknown" ? "" : `; below ${percent(floor.delta)} nothing is called different`;
  const lines = summary.families.flatMap((family) => {
    const reported = family.comparisons.filter((one) => isJudged(one));
    const { withheld } = verdictCounts(family.comparisons);
    if (reported.length === 0) return [];
    // The values that its members share, or else the compared axis.
    const shared = family.title ||
      (run.plan.axes.find(({ name }) => name === family.axis)?.title ?? run.plan.suite.title);
    const basis = [...new Set(reported.map((one) => one.basis))].join(" and ");
    return [
      `${style.bold(printable(shared))} ${style.dim(`(${basis})`)}`,
      ...reported.map((one) => printable(`  ${verdictText(run.plan.axes, summary, family, one)}`)),
      ...(withheld === 0 ? [] : [style.dim(`  ${withheld} without a verdict`)]),
    ];
  });
  const about = ` (ratios with intervals corrected for the family${delta})`;
  return `${style.bold(title)}${style.dim(about)}\n${lines.join("\n")}\n\n`;
}
