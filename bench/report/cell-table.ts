import { AA } from "../record/cell.ts";
import type { CellFigures, CellOutcome, Subject } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { counted } from "../basics/units.ts";
import { aligned, printable, widthOf } from "./align.ts";
import { byPlaces, conditionKey, conditionText, contrastText, headsOf, layoutOf, textsOf } from "./layout.ts";
import { isFaulty, marksByName } from "./badge.ts";
import type { Style, TextOptions } from "./style.ts";
import { itemLines, wrapped } from "./wrap.ts";
import { shownFigures } from "./figures.ts";
import { valueText } from "./metrics.ts";

/** A table for each combination of conditions: its cells, the fastest first, and why others have no figures. */
export function cellTables(
  { plan }: Pick<RunRecord, "plan">,
  { cells }: Pick<Summary, "cells">,
  cards: readonly CellFigures[],
  { style, columns }: TextOptions,
): string {
  const layout = layoutOf(plan);
  const marksOf = marksByName({ cells });
  const warned = (card: Subject) => marksOf(card.name).some(({ effect }) => effect === "withholds");
  const ranked = cards.filter(({ cell }) => cell.label !== AA).toSorted(byPlaces(layout.conditions));
  return [...Map.groupBy(ranked, ({ cell }) => conditionKey(layout, cell)).values()]
    .map((group) => oneTable(plan, group, warned, style, columns)).join("\n");
}

/** A column; a narrow terminal leaves out the one that is kept least first. */
interface Column {
  readonly head: string;
  readonly kept?: number;
  readonly text: (card: CellFigures) => string;
}

function oneTable(
  plan: RunRecord["plan"],
  cards: readonly CellFigures[],
  warned: (card: Subject) => boolean,
  style: Style,
  room: number,
): string {
  const layout = layoutOf(plan);
  const names = headsOf(layout.contrasts);
  const [impossible, possible] = [true, false].map((is) =>
    cards.filter((card) => (card.status === "unsupported") === is)
  );
  const columns = [
    ...shownFigures("cells", plan, [possible!]).map((figure): Column => ({
      ...figure,
      text: figure.text ?? ((card) => valueText(card, figure)),
    })),
    { head: "bound", kept: 0, text: ({ bound }: CellFigures) => bound },
  ];
  const shown = possible!.toSorted((a, b) =>
    Number(isFaulty(a)) - Number(isFaulty(b)) || (b.requests_per_second ?? -1) - (a.requests_per_second ?? -1)
  );
  const laidOut = (columns: readonly Column[]) =>
    aligned([
      [...names, ...columns.map((column) => inWords(plan, column.head))],
      ...shown.map((card) => [
        ...textsOf(layout, layout.contrasts, card.cell),
        ...columns.map((column) => card.requests_per_second === null || isFaulty(card) ? "–" : column.text(card)),
      ]),
    ], (column) => column < names.length);
  const tooWide = (lines: readonly string[]) => lines.some((line) => widthOf(line) + 2 > room);
  let kept = columns, table = laidOut(kept);
  for (const least of columns.filter((one) => one.kept !== undefined).sort((a, b) => a.kept! - b.kept!)) {
    if (!tooWide(table)) break;
    kept = kept.filter((column) => column !== least);
    table = laidOut(kept);
  }
  const [head, ...lines] = table;
  const body = lines.map((line, n) => {
    const card = shown[n]!;
    if (!isFaulty(card)) return `${warned(card) ? style.yellow("⚠") : " "} ${line}`;
    const note = noteOf(card);
    const fits = widthOf(line) + widthOf(note) + 4 <= room;
    const below = fits ? "" : wrapped(note, room - 4).map((each) => `\n    ${style.red(each)}`).join("");
    return `${style.red("✗")} ${line}${fits ? `  ${style.red(note)}` : below}`;
  });
  return [
    style.bold(printable(conditionText(layout, cards[0]!.cell))),
    ...(shown.length === 0 ? [] : [style.dim(`  ${head}`), ...body]),
    ...[...Map.groupBy(impossible!, ({ marks }) => marks[0]?.text ?? "")].map(([reason, same]) => {
      const which = same.map(({ cell }) => contrastText(layout, cell)).join(", ");
      return itemLines(`– ${which}: unsupported: ${reason}`, room).map(style.dim).join("\n");
    }),
    "",
  ].join("\n");
}

function noteOf(card: CellOutcome): string {
  const bad = card.observations - card.observations_ok;
  return printable(
    `${card.status} in ${bad} of ${counted(card.observations, "observation")}: ${card.marks[0]?.text ?? ""}`,
  );
}
