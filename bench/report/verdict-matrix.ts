import { percent } from "../basics/percent.ts";
import { type Place, type Question, questionsOf } from "../result/questions.ts";
import { isDecided } from "../record/inverse.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Mark } from "../record/mark-schema.ts";
import type { Summary } from "../record/summary.ts";
import { counted, formatRatio } from "../basics/units.ts";
import { padded, printable, widthOf } from "./align.ts";
import type { Style } from "./style.ts";
import { wordsOf, wrapped } from "./wrap.ts";

/**
 * The verdicts of a run in few lines: for each question a row for each place, or a table where two axes make the
 * places. In it stand the values in order, each with how many times slower than the first it is.
 */
export function verdictMatrix(
  { plan }: Pick<RunRecord, "plan">,
  summary: Pick<Summary, "families" | "cells" | "noise_floor">,
  style: Style,
  columns: number,
): string {
  const questions = questionsOf(plan, summary.families, summary.cells);
  if (questions.length === 0) return "";
  const all = questions.flatMap(({ places }) => places.flatMap(({ comparisons }) => comparisons));
  const reasons = all.flatMap(({ comparison: one }) => one.verdict === "no-verdict" ? one.marks.map(textOf) : []);
  if (all.length === reasons.length && new Set(reasons).size === 1) {
    return `${style.dim(wrapped(printable(`No verdicts: ${reasons[0]}`), columns).join("\n"))}\n\n`;
  }
  const { together, solo } = summary.noise_floor;
  const floor = together.kind === "unknown" ? solo : together;
  const delta = floor.kind === "unknown" ? "" : `; below ${percent(floor.delta)} nothing is called different`;
  const key =
    `a 1.20× b 1.50× c: a is 1.20 times as fast as b, 1.50 times as fast as c; ~ not separable, = equivalent, ? no verdict${delta}`;
  return [
    style.bold("Verdicts"),
    ...wrapped(key, columns - 2).map((line) => style.dim(`  ${line}`)),
    ...questions.flatMap((question) => questionLines(question, style, columns)),
    "",
    "",
  ].join("\n");
}

function questionLines(question: Question, style: Style, columns: number): string[] {
  const made = question.places.flatMap(({ comparisons }) => comparisons);
  const decided = made.filter(({ comparison }) => isDecided(comparison)).length;
  const head = `${style.bold(printable(question.title))} ${
    style.dim(`${decided} of ${counted(made.length, "comparison")} decided`)
  }`;
  const table = tableOf(question, columns) ?? listOf(question, columns);
  return [head, ...table.map((line) => `  ${line}`)];
}

const textOf = ({ text }: Mark) => text;

const chainAt = (place: Place) => printable(chainText(place));

/** Rows by the first axis of the places, columns by the second; undefined where places have other axes or it is too wide. */
function tableOf({ places }: Question, columns: number): string[] | undefined {
  const axes = Object.keys(places[0]?.at ?? {});
  if (axes.length !== 2) return undefined;
  const textsOn = (axis: string) => [...new Set(places.map(({ at }) => at[axis]!))];
  const [rows, heads] = axes.map(textsOn) as [string[], string[]];
  const fields = rows.map((row) => [
    printable(row),
    ...heads.map((head) => {
      const place = places.find(({ at }) => at[axes[0]!] === row && at[axes[1]!] === head);
      return place === undefined ? "–" : chainAt(place);
    }),
  ]);
  const all = [["", ...heads.map(printable)], ...fields];
  const widths = all[0]!.map((_, n) => Math.max(...all.map((row) => widthOf(row[n]!))));
  if (widths.reduce((sum, width) => sum + width + 3, 0) > columns) return undefined;
  return all.map((row) => row.map((text, n) => padded(text, widths[n]!, "right")).join("   ").trimEnd());
}

/** A row for each place, going on below where it is too long. */
function listOf({ places }: Question, columns: number): string[] {
  const names = places.map(({ at }) => printable(Object.values(at).filter((text) => text !== "").join(", ")));
  const longest = Math.max(...names.map(widthOf));
  const word = Math.max(...places.flatMap((place) => wordsOf(chainAt(place)).map(widthOf)));
  const beside = longest + Math.max(30, word + 4) <= columns;
  return places.flatMap((place, n) => {
    const indent = beside ? " ".repeat(longest === 0 ? 0 : longest + 2) : "  ";
    // A value and its ratio stay together.
    const lines = wrapped(
      chainAt(place).replace(/(?<=[×?]) /g, "\u00a0"),
      columns - 2 - indent.length,
    )
      .map((line) => line.replaceAll("\u00a0", " "));
    if (names[n] === "") return lines;
    if (!beside) return [names[n]!, ...lines.map((line) => indent + line)];
    return lines.map((line, row) => (row === 0 ? padded(names[n]!, longest + 2, "right") : indent) + line);
  });
}

/** `deno 1.33× bun ~1.67× node`: the values of a place, what is slower than nothing first, each with the first's speed over its. */
export function chainText(place: Place): string {
  const losses = (value: string) =>
    place.values.filter((other) => place.over(value, other).verdict === "slower").length;
  const untold = (value: string) => place.values.filter((other) => place.over(value, other).ratio === null).length;
  const speed = (value: string, first: string) => place.over(value, first).ratio ?? 0;
  const known = place.values.filter((value) => untold(value) < place.values.length);
  const [base] = known.toSorted((a, b) => untold(a) - untold(b) || losses(a) - losses(b));
  if (
    base === undefined ||
    place.values.every((value) => place.values.every((other) => place.over(value, other).ratio === null))
  ) {
    return `no verdict: ${reasonAt(place)}`;
  }
  const order = known.toSorted((a, b) => (b === base ? 1 : speed(b, base)) - (a === base ? 1 : speed(a, base)));
  const leader = order.find((value) => losses(value) === 0) ?? order[0]!;
  const others = order.filter((value) => value !== leader).map((value) => {
    const { verdict, ratio } = place.over(leader, value);
    if (ratio === null) return { value, text: "?", ratio: Infinity };
    const sign = verdict === "not-separable" ? "~" : verdict === "equivalent" ? "=" : "";
    return { value, text: `${sign}${formatRatio(ratio)}×`, ratio };
  }).toSorted((a, b) => a.ratio - b.ratio);
  return [leader, ...others.map(({ value, text }) => `${text} ${value}`)].join(" ");
}

function reasonAt({ comparisons }: Place): string {
  return comparisons.flatMap(({ comparison: one }) => one.verdict === "no-verdict" ? one.marks : [])[0]?.text ??
    "nothing was compared";
}
