import { dash } from "../basics/units.ts";
import type { Summary } from "../record/summary.ts";
import { printable, tableLines } from "./align.ts";
import { markdownTable, markdownText } from "./markdown-table.ts";
import { metricOf } from "./metrics.ts";
import type { Style } from "./style.ts";

const times = (ratio: number) => `${ratio.toFixed(2)}×`;
/** Columns of text. */
const isText = (column: number) => column < 2;

/**
 * What each step costs or buys, wherever it was measured: the tables of a run's steps, those of one name in one. Places
 * where only one step was measured are left out: it is over nothing. The head is the first row: where it was measured, the step, its value, over
 * the step before, over the first with its 95 % interval.
 */
export function stepTables({ steps }: Pick<Summary, "steps">) {
  const told = steps.filter(({ rows }) => rows.filter(({ value }) => value !== null).length > 1);
  return [...Map.groupBy(told, ({ name }) => name).values()].map((same) => {
    const { name, why, metric } = same[0]!;
    const { unit, format } = metricOf(metric);
    const head = [
      "at",
      "step",
      metric === "cpu_ns_per_request" ? `CPU ${unit}` : unit,
      "over the one before",
      "over the first",
    ];
    const places = apartOnly(same.map(({ title }) => title));
    const rows = same.flatMap(({ rows }, n) =>
      rows.map(({ text, value, over_previous, over_first, over_first_interval: ends }) => [
        places[n]! || "–",
        text,
        dash(value, format),
        dash(over_previous, times),
        dash(over_first, times) + (ends === undefined ? "" : ` (${ends[0].toFixed(2)} to ${ends[1].toFixed(2)})`),
      ])
    );
    return { name, why, rows: [head, ...rows] };
  });
}

/** Places without what all of them share, which tells nobody where a row belongs. */
function apartOnly(titles: readonly string[]): string[] {
  const parts = titles.map((title) => title.split(", "));
  if (parts.length < 2 || parts.some(({ length }) => length !== parts[0]!.length)) return [...titles];
  return parts.map((own) => own.filter((text, n) => parts.some((other) => other[n] !== text)).join(", "));
}

/** What each step costs or buys, for a terminal; empty where the suite has no steps. */
export function stepLines(summary: Pick<Summary, "steps">, style: Style, columns = Infinity): string {
  return stepTables(summary).map(({ name, why, rows }) => {
    const title = `${style.bold(printable(name))} ${style.dim(printable(`(${why})`))}`;
    return [title, ...tableLines(rows, isText, { style, columns }), "", ""].join("\n");
  }).join("");
}

/** The same as Markdown. */
export function stepMarkdown(summary: Pick<Summary, "steps">): string[] {
  return stepTables(summary).flatMap(({ name, why, rows }) => [
    `**${markdownText(name)}** (${markdownText(why)})`,
    "",
    ...markdownTable(rows, isText),
    "",
  ]);
}
