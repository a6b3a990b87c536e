import { VERDICTS } from "../record/verdicts.ts";
import { AA, placeText, shownAxes } from "../record/cell.ts";
import type { CellFigures, CellOutcome, Parts, Subject } from "../record/card.ts";
import { inWords, type Worded } from "../record/in-words.ts";
import { dash, formatRatio } from "../basics/units.ts";
import { badgeOf, marksByName } from "../report/badge.ts";
import { conditionKey, fixedText, layoutOf } from "../report/layout.ts";
import { intervalText, isRanked, sampleText, valueText } from "../report/metrics.ts";
import { isPanelJudged, ratioText, type VerdictPanel, type VerdictRow } from "../report/verdict-rows.ts";
import { type Html, markup } from "./html.ts";
import type { ShownRun } from "./page-data.ts";
import { BOUND } from "../record/bound-table.ts";
import { toldFigures } from "../report/figures.ts";

/** A column's text for a cell, coloured by its verdict, and its value for sorting. */
interface Shown {
  readonly text: string;
  readonly level?: "good" | "bad";
  /** Higher is better; null if it is not ranked. */
  readonly worth: number | null;
}
type Row = CellFigures & Pick<Parts, "routes">;
type Column = {
  readonly head: string;
  readonly figure: (card: Row) => Shown;
  /** The text of a route, if it has such a figure. */
  readonly ofRoute?: (route: object) => string;
};

/**
 * The table of cells: a row for each in the picture's order, below it one for each route where it has several.
 *
 * @param panels the questions as they are drawn
 * @param sort column that orders the rows, the best first; null for the picture's order
 */
export function cellsTable(
  run: ShownRun,
  cards: readonly Row[],
  panels: readonly VerdictPanel[],
  sort: number | null,
): Html {
  const shown = cards.filter(({ cell }) => cell.label !== AA);
  if (shown.length === 0) return markup`<p class="empty">No cell passes these filters and needs.</p>`;
  const judged = panels.filter(isPanelJudged);
  const layout = layoutOf(run.run.plan);
  const compared = [...Map.groupBy(shown, ({ cell }) => conditionKey(layout, cell)).values()];
  const columns = [...judged.map(speedColumn), ...figureColumns(run.run.plan, compared)];
  const { order, places } = pictureOrder(judged[0]);
  const column = sort === null ? undefined : columns[sort];
  const by = column === undefined
    ? (card: Row) => order.get(card.name) ?? Infinity
    : (card: Row) => -(column.figure(card).worth ?? -Infinity);
  // Cells without a comparison keep their order.
  const rows = column === undefined ? shown.toSorted((a, b) => by(a) - by(b) || 0) : compared
    .flatMap((same) => same.toSorted((a, b) => by(a) - by(b) || 0));
  const groupOf = (card: Subject | undefined) =>
    card === undefined ? null : column === undefined ? places.get(card.name) : conditionKey(layout, card.cell);
  const marksOf = marksByName(run.summary);
  const reported = shownAxes(run.run.plan.axes).filter(({ values }) => values.length > 1);
  const body = rows.map((card, n) => {
    const mark = badgeOf(card, marksOf(card.name));
    const name = placeText(reported, card.cell.point.at) || layout.suite;
    const label = card.cell.label === "main" ? "" : `, ${card.cell.label}`;
    return markup`<tr class="${
      groupOf(card) === groupOf(rows[n - 1]) ? "same" : "first"
    }"><th scope="row"><button type="button" data-cell="${card.name}" aria-haspopup="dialog">${name}${label}</button>${
      mark === null ? null : markup` ${markOnCell(card, mark)}`
    }</th>${
      columns.map(({ figure: figure }) => figure(card)).map(({ text, level }) =>
        markup`<td class="${level ?? "plain"}">${breakable(text)}</td>`
      )
    }</tr>${routesOf(card, columns)}`;
  });
  const heads = columns.map(({ head }, n) => headOf(head, n, sort));
  const fixed = fixedText(layout, shown[0]!.cell);
  return markup`<table class="cells"><caption><span>${
    [`Figures of each alone: ${sampleText(shown)}`, fixed].filter((text) => text !== "").join("; ")
  }</span></caption>
<thead><tr>${headOf("cell", null, sort)}${heads}</tr></thead><tbody>${body}</tbody></table>`;
}

/** A field that breaks between a figure, its interval and its words alone. */
const breakable = (text: string): string => text.replaceAll(/ (?=×)|(?<=≥) |(?<=\[[^\]]*) (?=[^[]*\])/g, "\u00a0");

/** The ratios of a question to its baseline, which is 1. */
function speedColumn({ title, baseline, groups }: VerdictPanel): Column {
  const rows = new Map<string, VerdictRow>(groups.flatMap(({ rows }) => rows.map((row) => [row.cell, row] as const)));
  const bases = new Set(groups.flatMap(({ rows }) => rows.map(({ against }) => against)));
  return {
    head: `${title}: speed, ${baseline} = 1`,
    figure: ({ name }) => {
      const row = rows.get(name);
      if (row === undefined) return bases.has(name) ? { text: formatRatio(1), worth: 1 } : { text: "–", worth: null };
      if (row.ratio === null) return { text: "no verdict", worth: null };
      const { level, sign } = VERDICTS[row.verdict];
      const text = `${ratioText(row)}${sign === "" ? "" : ` ${sign}`}`;
      return { text, worth: row.ratio, ...(level === "good" || level === "bad" ? { level } : {}) };
    },
  };
}

function figureColumns(plan: Worded, compared: readonly (readonly Row[])[]): Column[] {
  return toldFigures("page", plan, compared).map((shown) => {
    const { key, head, better, format } = shown;
    const figure = (card: Row): Shown => {
      const value = card[key];
      const worth = value === null || !isRanked(card, key) ? null : better === "higher" ? value : -value;
      return { text: shown.text?.(card) ?? `${valueText(card, shown)} ${intervalText(card, shown)}`.trim(), worth };
    };
    const ofRoute = (route: { readonly [name in typeof key]?: number | null }) =>
      key in route ? dash(route[key], format) : "";
    return { head: inWords(plan, head), figure, ofRoute };
  });
}

/** Cells in the order of the first question's picture, with their places in it. */
function pictureOrder(panel: VerdictPanel | undefined) {
  const order = new Map<string, number>(), places = new Map<string, number>();
  for (const [place, { rows }] of (panel?.groups ?? []).entries()) {
    const compared = [...rows, ...rows.slice(0, 1).map(({ against }) => ({ cell: against, ratio: 1 }))]
      .toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
    for (const { cell } of compared) {
      order.set(cell, order.size);
      places.set(cell, place);
    }
  }
  return { order, places };
}

/** A row for each kind of request of a cell that answers several. */
function routesOf({ routes = [] }: Pick<Parts, "routes">, columns: readonly Column[]): Html | null {
  if (routes.length < 2) return null;
  return markup`${
    routes.map((one) => {
      const fields = columns.map(({ ofRoute }) => markup`<td>${ofRoute?.(one) ?? ""}</td>`);
      return markup`<tr class="route"><th scope="row">${one.route}</th>${fields}</tr>`;
    })
  }`;
}

/** A head that orders the rows: by a column, or as the picture has them. */
function headOf(text: string, column: number | null, sort: number | null): Html {
  const [by, label] = column === null ? ["picture", "in the picture's order"] : [column + 1, "best first"];
  const order = column === sort && column !== null ? markup` aria-sort="other"` : null;
  return markup`<th scope="col"${order}><button type="button" class="sort" data-sort="${by}" aria-pressed="${
    String(column === sort)
  }">${text}<span class="quiet">, ${label}</span></button></th>`;
}

/** Draws an objection in words. A remark is a dot, read aloud by screen readers and explained in the cell's evidence. */
function markOnCell({ status, bound }: CellOutcome, { text, level }: NonNullable<ReturnType<typeof badgeOf>>): Html {
  return level === "note" && status === "ok" && BOUND[bound].level === null
    ? markup`<span class="mark note" title="${text}"><span class="quiet">${text}</span></span>`
    : markup`<span class="mark ${level}">${text}</span>`;
}
