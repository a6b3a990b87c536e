import { AA } from "../record/cell.ts";
import type { CellFigures, CellOutcome, Subject } from "../record/card.ts";
import { ALL_BOUNDS, BOUND } from "../record/outcome-schema.ts";
import { rowOf } from "../record/mark.ts";
import { inWords } from "../record/in-words.ts";
import { listed } from "../result/questions.ts";
import { countsText, verdictCounts } from "../result/verdict-counts.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { counted, formatRate, percent } from "../basics/units.ts";
import { firstFew } from "../basics/visible.ts";
import { printable } from "./align.ts";
import { isFaulty } from "./badge.ts";
import { GRADE_MEANING } from "./machine-text.ts";
import { spokenCeilings } from "./metrics.ts";
import type { TextOptions } from "./style.ts";
import { itemLines, wrapped } from "./wrap.ts";

/** The evidence behind an answer: the number of decided comparisons, their limits, and the grade of its machine. */
export function evidenceLines(
  run: Pick<RunRecord, "plan" | "grade">,
  summary: Summary,
  cards: readonly CellFigures[],
  { style, columns }: TextOptions,
): string {
  if (cards.length === 0) return "";
  const counts = verdictCounts(summary.families.flatMap(({ comparisons }) => comparisons));
  const texts = [
    counts.all === 0 ? "" : countsText(counts),
    floorText(summary),
    boundText(summary, cards),
    notComparedText(run.plan, summary),
    ...(["yes", "unknown", "no"] as const).flatMap((holds) =>
      summary.checks.filter((one) => one.holds === holds).map(checkText)
    ),
    `machine ${run.grade.grade}: ${GRADE_MEANING[run.grade.grade]}`,
  ];
  const shown = texts.filter((text) => text !== "").flatMap((text) => itemLines(inWords(run.plan, text), columns));
  return [style.bold("How sure"), ...shown, "", ""].join("\n");
}

/** Caveats of a run in addition to its answer: servers that seem to leak, and failed expectations of the suite. */
export const noteTexts = ({ cells, checks }: Pick<Summary, "cells" | "checks">): string[] => [
  ...cells.filter(({ cell }) => cell.label !== AA).flatMap(({ name, marks }) =>
    marks.filter((one) => rowOf(one).grows).map(({ text }) => `leak: ${name}: ${text}`)
  ),
  ...checks.filter(({ holds }) => holds === "no").map(checkText),
];

/** Names the axes whose values were neither measured together nor each alone in enough rounds; empty if there are none. */
function notComparedText({ axes }: RunRecord["plan"], { questions, families }: Summary): string {
  const without = questions.filter(({ axis }) => axis !== null && !families.some((family) => family.axis === axis));
  const titles = without.map(({ axis }) => axes.find(({ name }) => name === axis)?.title.toLowerCase() ?? axis!);
  if (titles.length === 0) return "";
  return `not compared: ${listed(titles)}, as the plan has no two values together, nor each alone in three rounds`;
}

/** Cells that were measured badly or cannot be measured, one line a reason; empty if there are none. */
export function faultyLines(cards: readonly (Subject & CellOutcome)[], { style, columns }: TextOptions): string {
  const failed = cards.filter(({ cell, status }) => cell.label !== AA && status !== "ok");
  const lines = [...Map.groupBy(failed, ({ status, marks }) => `${status}: ${marks[0]?.text ?? "no reason kept"}`)]
    .flatMap(([why, same]) => {
      const names = firstFew(same.map(({ name }) => name));
      const faulty = isFaulty(same[0]!);
      return wrapped(printable(`${names}: ${why}`), columns - 4).map((line, n) =>
        faulty ? `${n === 0 ? style.red("✗") : " "} ${style.red(line)}` : style.dim(`${n === 0 ? "–" : " "} ${line}`)
      );
    });
  return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
}

const HELD = { yes: "met", no: "not met", unknown: "open" } as const;

const checkText = ({ name, holds, seen, expected }: Summary["checks"][number]) =>
  `${HELD[holds]}: ${name}: ${seen}; expected ${expected}`;

function boundText(summary: Summary, all: readonly CellFigures[]): string {
  const cards = all.filter((card) => card.cell.label !== AA && card.observations_ok > 0);
  const counts = ALL_BOUNDS.toReversed().map((bound) => ({
    ...BOUND[bound],
    cells: cards.filter((card) => card.bound === bound).length,
  }));
  const ceiling = ceilingText(summary);
  const overLink = summary.ceilings.some(({ bound }) => bound === "network");
  return [
    ...counts.flatMap(({ counted: words, level, cells }) =>
      level === null
        ? [`${words} in ${cells} of ${counted(cards.length, "cell")}`]
        : words === undefined || cells === 0
        ? []
        : [`${words} in ${cells}`]
    ),
    ...(ceiling === null ? [] : [`the generator's ceiling${overLink ? " over this link" : ""} is ${ceiling}`]),
    ...spokenCeilings(cards),
  ].join("; ");
}

function ceilingText({ ceilings }: Pick<Summary, "ceilings">): string | null {
  const rates = ceilings.flatMap((ceiling) => ceiling.requests_per_second ?? []);
  if (rates.length === 0) return null;
  const [least, most] = [Math.min(...rates), Math.max(...rates)].map(formatRate);
  return least === most ? `${least} req/s` : `${least} to ${most} req/s, by kind of request`;
}

function floorText({ noise_floor: { together, solo } }: Summary): string {
  const texts = ([["servers measured together", together], ["rates of each alone", solo]] as const).map(
    ([name, floor]) =>
      floor.kind === "unknown"
        ? `of ${name} it is not known, as ${floor.mark.text}`
        : floor.kind === "agree"
        ? `of ${name} ${percent(floor.delta)}`
        : `${name} found a cell unlike itself`,
  );
  return `noise floor: ${texts.join("; ")}`;
}
