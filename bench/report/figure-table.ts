import { AA } from "../record/cell.ts";
import type { CellFigures } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { formatBytes, orDash } from "../basics/units.ts";
import { MOST_NAMED } from "../basics/visible.ts";
import { MOMENTS } from "../result/memory.ts";
import { aligned, printable } from "./align.ts";
import { badgeOf, isFaulty, marksByName } from "./badge.ts";
import { contrastText, layoutOf } from "./layout.ts";
import { sampleText, valueText } from "./metrics.ts";
import type { TextOptions } from "./style.ts";
import { wrapped } from "./wrap.ts";
import { figuresIn } from "./figures.ts";

/** Other figures of the values of the first question, at the picks of all others; or of the only cell. */
export function figureTable(
  { plan }: Pick<RunRecord, "plan">,
  summary: Pick<Summary, "answer" | "cells" | "memory">,
  cards: readonly CellFigures[],
  { style, columns }: TextOptions,
): string {
  const layout = layoutOf(plan);
  const [first, ...others] = summary.answer.questions.filter(({ axis }) => axis !== null);
  const wanted = new Map(others.flatMap(({ axis, parts }) => {
    const value = plan.axes.find(({ name }) => name === axis)?.values.find(({ text }) => text === parts[0]!.picks[0]);
    return value === undefined ? [] : [[axis!, value.value] as const];
  }));
  const measured = cards.filter((card) =>
    card.cell.label !== AA && card.requests_per_second !== null && !isFaulty(card)
  );
  if (first === undefined && measured.length !== 1) return "";
  const fit = measured.filter(({ cell }) => [...wanted].every(([axis, value]) => cell.point.at[axis] === value));
  const base = (fit[0] ?? measured[0])?.cell.point.at;
  if (base === undefined) return "";
  const shown = measured.filter(({ cell }) =>
    Object.entries(base).every(([axis, value]) => axis === first?.axis || cell.point.at[axis] === value)
  );
  const marksOf = marksByName(summary);
  const badges = shown.map((card) => badgeOf(card, marksOf(card.name)));
  type Column = readonly [head: string, text: (card: CellFigures) => string];
  const moments = summary.memory?.map(({ moment, cells }, n): Column => [
    `${n === 0 ? "memory " : ""}${MOMENTS[moment]}`,
    (card) => orDash(cells.find(({ name }) => name === card.name)?.bytes, formatBytes),
  ]);
  const figures = figuresIn("alone", { plan }).flatMap((figure): readonly Column[] =>
    figure.group === "memory" && moments !== undefined
      ? moments
      : [[inWords(plan, figure.head), (card) => valueText(card, figure)]]
  );
  const rows = [
    ["", ...figures.map(([head]) => head)],
    ...shown.map((card, n) => [
      `${first === undefined ? card.name : contrastText(layout, card.cell)}${
        badges[n] !== null && badges[n]!.level !== "note" ? " ⚠" : ""
      }`,
      ...figures.map(([, text]) => text(card)),
    ]),
  ];
  const [head, ...lines] = aligned(rows, (column) => column === 0);
  const reported = shown.flatMap((card, n) => {
    const badge = badges[n];
    if (badge === null || badge!.level === "note") return [];
    // No comparison gives the reason of the only cell.
    const withheld = first === undefined ? marksOf(card.name).filter(({ effect }) => effect === "withholds") : [];
    return withheld.length > 0
      ? withheld.map(({ text }) => `⚠ ${card.name}: ${text}`)
      : [`⚠ ${card.name}: ${badge!.text}`];
  });
  return [
    style.bold(`Each server alone (${sampleText(shown.map(({ observations_ok }) => ({ observations_ok })))})`),
    style.dim(`  ${head}`),
    ...lines.map((line) => `  ${line}`),
    ...reported.slice(0, MOST_NAMED).flatMap((text) => wrapped(printable(text), columns - 4))
      .map((line) => style.yellow(`  ${line}`)),
    ...(reported.length > MOST_NAMED ? [style.yellow(`  and ${reported.length - MOST_NAMED} more`)] : []),
    "",
    "",
  ].join("\n");
}
