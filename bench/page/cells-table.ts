import { BOUND } from "../record/outcome-schema.ts";
import { isJudged, VERDICTS } from "../record/verdicts.ts";
import { AA, placeText, shownAxes } from "../record/cell.ts";
import type { CellFigures, Parts } from "../record/card.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import { formatRatio, orDash } from "../basics/units.ts";
import { shownFigures } from "../report/figures.ts";
import { badgeOf, marksByName } from "../report/badge.ts";
import { conditionKey, fixedText, layoutOf } from "../report/layout.ts";
import { intervalText, isRanked, sampleText, valueText } from "../report/metrics.ts";
import { isPanelJudged, ratioText, type VerdictPanel, type VerdictRow } from "../report/verdict-rows.ts";
import { checkbox } from "./choices.ts";
import { type Html, markup } from "./html.ts";
import type { ShownRun } from "./shown-run.ts";

/** A column's text for a cell, coloured by its verdict, and its value for sorting. */
interface Shown {
  readonly text: string;
  readonly level?: "good" | "bad";
  /** Higher is better; null if it is not ranked. */
  readonly worth: number | null;
}
type Row = CellFigures & Pick<Parts, "routes">;
/** A column; a later one is shown when its box is ticked. */
type Column = {
  readonly head: string;
  readonly later?: boolean;
  readonly figure: (card: Row) => Shown;
  /** The text of a route, if it has such a figure. */
  readonly ofRoute?: (route: object) => string;
};

/** The parts of the page that the table of cells refers to. */
interface TablePlace {
  /** The field of the page's form that says which columns are shown. */
  readonly field: string;
  /** The id of the evidence of each shown cell, by its name. */
  readonly evidence: ReadonlyMap<string, string>;
  /** The fields and values by which the page's script filters a cell. */
  readonly chosenBy: (card: Row) => readonly (readonly [field: string, value: string])[];
}

/** The table of cells: a body for each in the picture's order, which the page's script sorts and hides. */
export function cellsTable(
  run: Pick<ShownRun, "run" | "summary" | "cells">,
  panels: readonly VerdictPanel[],
  { field, evidence, chosenBy }: TablePlace,
): Html {
  const shown: readonly Row[] = run.cells.filter(({ cell }) => cell.label !== AA);
  if (shown.length === 0) return markup`<p class="empty">Nothing was measured.</p>`;
  const judged = panels.filter(isPanelJudged);
  const layout = layoutOf(run.run.plan);
  const keys = [...new Set(shown.map(({ cell }) => conditionKey(layout, cell)))];
  const compared = keys.map((key) => shown.filter(({ cell }) => conditionKey(layout, cell) === key));
  const marksOf = marksByName(run.summary);
  // A remark that is no warning is shown only in the cell's evidence.
  const markOf = (card: Row) => {
    const mark = badgeOf(card, marksOf(card.name));
    return mark?.level === "note" && card.status === "ok" && BOUND[card.bound].level === null ? null : mark;
  };
  const isMarked = shown.some((card) => markOf(card) !== null);
  const columns = [...judged.map(speedColumn), ...figureColumns(run.run.plan, compared)];
  const { order, places } = pictureOrder(judged[0]);
  const by = ({ name }: Row) => order.get(name) ?? Infinity;
  // Cells without a comparison keep their order.
  const rows = shown.toSorted((a, b) => by(a) - by(b) || 0);
  const reported = shownAxes(run.run.plan.axes).filter(({ values }) => values.length > 1);
  const bodies = rows.map((card, n) => {
    const mark = markOf(card);
    const name = placeText(reported, card.cell.point.at) || layout.suite;
    const label = card.cell.label === "main" ? "" : `, ${card.cell.label}`;
    const before = rows[n - 1];
    const isFirst = before === undefined || places.get(before.name) !== places.get(card.name);
    return markup`<tbody class="${isFirst ? "first" : "same"}" data-group="${
      keys.indexOf(conditionKey(layout, card.cell))
    }"${chosenBy(card).map(([field, value]) => markup` data-${field}="${value}"`)}><tr><th scope="row">${
      mark === null ? null : signOf(mark.level)
    }<button type="button" data-cell="${card.name}" popovertarget="${evidence.get(
      card.name,
    )!}" aria-haspopup="dialog">${name}${label}</button></th>${
      columns.map((column) => {
        const { text, level, worth } = column.figure(card);
        return markup`<td class="${level ?? "plain"}"${hiddenIf(column.later)}${
          worth === null ? null : markup` data-worth="${worth}"`
        }>${text}</td>`;
      })
    }${isMarked ? markup`<td class="mark ${mark?.level ?? "none"}">${mark?.text ?? ""}</td>` : null}</tr>${
      routesOf(card, columns, isMarked)
    }</tbody>`;
  });
  const heads = columns.map(({ head, later }, n) => headOf(head, n + 1, later));
  const fixed = fixedText(layout, shown[0]!.cell);
  const boxes = columns.map(({ head, later }, n) => checkbox(field, n, head, !later));
  return markup`<fieldset class="columns scripted"><legend>Columns</legend>${boxes}</fieldset>
<div class="scroll" tabindex="0" role="region" aria-label="Table of cells"><table class="cells"><caption><span>${
    [`Figures of each alone: ${sampleText(shown)}`, fixed].filter((text) => text !== "").join("; ")
  }</span></caption>
<thead><tr>${headOf("cell", 0)}${heads}${
    isMarked ? markup`<th scope="col" class="mark">remark</th>` : null
  }</tr></thead>${bodies}</table></div>`;
}

const hiddenIf = (hidden = false) => hidden ? markup` hidden` : null;

const signOf = (level: NonNullable<ReturnType<typeof badgeOf>>["level"]) =>
  level === "note"
    ? null
    : markup`<span class="sign ${level}" aria-hidden="true">${level === "bad" ? "✗" : "⚠"} </span>`;

function speedColumn({ title, baseline, groups }: VerdictPanel): Column {
  const rows = new Map<string, VerdictRow>(groups.flatMap(({ rows }) => rows.map((row) => [row.over, row] as const)));
  const bases = new Set(groups.flatMap(({ rows }) => rows.map(({ under }) => under)));
  return {
    head: `${title}: speed, ${baseline}\u00a0=\u00a01`,
    figure: ({ name }) => {
      const row = rows.get(name);
      if (row === undefined) return bases.has(name) ? { text: formatRatio(1), worth: 1 } : { text: "–", worth: null };
      if (!isJudged(row)) return { text: "no verdict", worth: null };
      const { level, sign } = VERDICTS[row.verdict];
      const text = `${ratioText(row)}${sign === "" ? "" : ` ${sign}`}`;
      return { text, worth: row.ratio, ...(level === "good" || level === "bad" ? { level } : {}) };
    },
  };
}

function figureColumns(plan: WordedPlan, compared: readonly (readonly Row[])[]): Column[] {
  return shownFigures("page", plan, compared).map((shown) => {
    const { key, head, better, format, byChoice: later = false } = shown;
    const figure = (card: Row): Shown => {
      const value = card[key];
      const worth = value === null || !isRanked(card, key) ? null : better === "higher" ? value : -value;
      return { text: shown.text?.(card) ?? `${valueText(card, shown)} ${intervalText(card, shown)}`.trim(), worth };
    };
    const ofRoute = (route: { readonly [name in typeof key]?: number | null }) =>
      key in route ? orDash(route[key], format) : "";
    return { head: inWords(plan, head), later, figure, ofRoute };
  });
}

/** Cells in the order of the first question's picture, with their places in it. */
function pictureOrder(panel: VerdictPanel | undefined) {
  const order = new Map<string, number>(), places = new Map<string, number>();
  for (const [place, { rows }] of (panel?.groups ?? []).entries()) {
    const compared = [...rows, ...rows.slice(0, 1).map(({ under }) => ({ over: under, ratio: 1 }))]
      .toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
    for (const { over } of compared) {
      order.set(over, order.size);
      places.set(over, place);
    }
  }
  return { order, places };
}

/** A row for each kind of request of a cell that answers several. */
function routesOf({ routes = [] }: Pick<Parts, "routes">, columns: readonly Column[], isMarked: boolean): Html | null {
  if (routes.length < 2) return null;
  return markup`${
    routes.map((one) => {
      const fields = columns.map(({ ofRoute, later }) => markup`<td${hiddenIf(later)}>${ofRoute?.(one) ?? ""}</td>`);
      const mark = isMarked ? markup`<td></td>` : null;
      return markup`<tr class="route"><th scope="row">${one.route}</th>${fields}${mark}</tr>`;
    })
  }`;
}

/** A head that orders the rows: the first as the picture has them, others by their column. */
function headOf(text: string, column: number, later = false): Html {
  const label = column === 0 ? "in the picture's order" : "best first";
  return markup`<th scope="col"${
    hiddenIf(later)
  }><button type="button" class="sort" data-sort="${column}" aria-pressed="${
    String(column === 0)
  }">${text}<span class="quiet">, ${label}</span></button></th>`;
}
