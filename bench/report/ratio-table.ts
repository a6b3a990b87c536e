import { inWords } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import { fasterFirst } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";
import { counted, formatRatio } from "../basics/units.ts";
import { slowestOf } from "../result/picks.ts";
import { calmFirst, type Place, type Question, questionsOf } from "../result/questions.ts";
import { aligned, printable, widthOf } from "./align.ts";
import type { Style, TextWish } from "./style.ts";
import { wrapped } from "./wrap.ts";

/**
 * The verdicts of a run as tables of ratios, one for each question: the slowest value is 1, bars are drawn for what is
 * decided. Values are columns where that fits, else places are, else each pair of them has a row.
 */
export function ratioTables(
  { plan }: Pick<RunRecord, "plan">,
  summary: Pick<Summary, "families" | "cells" | "questions">,
  { style, columns }: TextWish,
): string[] {
  return questionsOf(plan, summary.families, summary.cells)
    .filter(({ places }) => places.some(({ comparisons }) => comparisons.some(({ comparison }) => comparison.ratio)))
    .map((question) => {
      const level = summary.questions.find(({ kind, axis }) => kind === question.kind && axis === question.axis)?.level;
      return tableOf(question, (slowest) => inWords(plan, basisText(question, slowest, level ?? null)), style, columns);
    });
}

function tableOf(
  question: Question,
  basis: (slowest: string) => string,
  style: Style,
  columns: number,
): string {
  const { title, values } = question;
  const places = calmFirst(question.places);
  const slowest = slowestOf(question);
  const head = `${title}: speed, ${slowest} = 1 (${basis(slowest)})`;
  const most = Math.max(...places.flatMap((place) => values.map((value) => ratioAt(place, value, slowest) ?? 1)));
  const layouts = [BAR, 0].flatMap((bar) => {
    const text = (place: Place, value: string) => cellText(place, value, slowest, bar, most);
    const others = [slowest, ...values.filter((value) => value !== slowest)];
    return [
      [["", ...others], ...places.map((place) => [placeName(place), ...others.map((value) => text(place, value))])],
      [["", ...places.map(placeName)], ...others.map((value) => [value, ...places.map((place) => text(place, value))])],
    ];
  });
  const rows = places.flatMap((place) =>
    place.values.filter((value) => value !== slowest)
      .map((value) => [placeName(place), value, cellText(place, value, slowest, BAR, most)])
  );
  const lines = [...layouts, rows].map((rows) => aligned(rows.map((row) => row.map(printable)), () => true));
  const fitting = lines.find((candidate) => candidate.every((line) => widthOf(line) + 2 <= columns)) ?? lines.at(-1)!;
  return [...wrapped(printable(head), columns).map(style.bold), ...fitting.map((line) => `  ${line}`), "", ""].join(
    "\n",
  );
}

const BAR = 7;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** `2.10 [1.75–2.50] ██████`; `1.39 to 1.51 ↕` where it moves with the core's speed; `0.77 [0.51–1.20] ~` where nothing was decided, `=` where both are equivalent, `?` without a verdict. */
function cellText(place: Place, value: string, slowest: string, bar: number, most: number): string {
  if (value === slowest) return place.values.includes(value) ? "1" : "–";
  if (!place.values.includes(value) || !place.values.includes(slowest)) return "–";
  const judged = place.over(value, slowest);
  if (judged.ratio === null || !("interval" in judged) || judged.interval === null) return "?";
  const { ratio, interval: { low, high }, verdict, core, lower_bound: bounded } = judged;
  const sign = bounded === undefined ? "" : bounded === "over" ? "≥ " : "≤ ";
  const text = core === undefined
    ? `${sign}${formatRatio(ratio)} [${formatRatio(low)}–${formatRatio(high)}]`
    : `${formatRatio(core.slow.ratio)} to ${formatRatio(core.fast.ratio)} ↕`;
  if (verdict === "not-separable") return `${text} ~`;
  if (verdict === "equivalent") return `${text} =`;
  const eighths = Math.max(1, Math.round(8 * bar * ratio / most));
  return bar === 0 ? text : `${text} ${"█".repeat(eighths >> 3)}${EIGHTHS[eighths & 7]}`;
}

/** Legend of the sign at a ratio that moves with the speed of the core. */
const MOVES = "↕ from a slow core to a fast one";

const ratioAt = (place: Place, value: string, slowest: string): number | null => place.over(value, slowest).ratio;

const placeName = ({ at }: Place) => Object.values(at).filter((text) => text !== "").join(", ");

/** `CPU time per request, 14 rounds, 95 %; ~ no difference found, ? no verdict`: what the ratios are, and the signs in the table. */
function basisText({ places }: Question, slowest: string, level: number | null): string {
  const reported = places.flatMap(({ comparisons }) => comparisons);
  const made = reported.map(({ comparison }) => fasterFirst(comparison));
  const shown = reported.filter(({ over, under }) => over === slowest || under === slowest).map((one) =>
    one.comparison
  );
  const judged = made.flatMap((one) => one.verdict === "no-verdict" ? [] : [one]);
  const bases = new Set(judged.map(({ basis }) => basis));
  const rounds = Math.min(...judged.map((one) => one.rounds));
  const what = [
    ...(bases.has("together") ? ["CPU time per request"] : []),
    ...(bases.has("solo") ? ["single rates"] : []),
  ].join(" or ");
  const has = (verdict: string) => shown.some((one) => one.verdict === verdict);
  const signs = [
    ...(has("not-separable") ? ["~ no difference found"] : []),
    ...(has("equivalent") ? ["= equivalent"] : []),
    ...(has("no-verdict") ? ["? no verdict"] : []),
    ...(shown.some((one) => "core" in one && one.core !== undefined) ? [MOVES] : []),
  ];
  const sure = level === null ? "" : `, ${Number((100 * level).toPrecision(3))} %`;
  return `${what}, ${counted(rounds, "round")}${sure}${signs.length === 0 ? "" : `; ${signs.join(", ")}`}`;
}
