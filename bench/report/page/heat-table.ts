import { AA, placeText, shownAxes } from "../../record/cell.ts";
import type { CellCard } from "../../record/card.ts";
import { overBaseline } from "../../result/over-baseline.ts";
import { formatRatio } from "../../basics/units.ts";
import { conditionKey, fixedText, gridOf, type Layout, layoutOf } from "../layout.ts";
import type { Mark } from "../../record/mark-schema.ts";
import { badgeOf, marksByName } from "../badge.ts";
import { bestOf, intervalText, isRanked, type Metric, shareText, valueText } from "../metrics.ts";
import { type Html, markup } from "./html.ts";
import type { ShownRun } from "./page-data.ts";

/** How the table is shown. */
export interface HeatWish {
  readonly metric: Metric;
  /** Name of the cell that others are told against; null for the best of each column. */
  readonly baseline: string | null;
  /** Column that orders the rows, or null for the plan's order. */
  readonly sort: number | null;
}

type Row = ReturnType<typeof gridOf<CellCard>>["rows"][number];

/** Characters of a name that stays on one line where there is room for a table. */
const WHOLE = 16;

/** The heat table of some cards; each cell a button that opens its evidence, each head one that orders the rows. */
export function heatTable(run: ShownRun, cards: readonly CellCard[], wish: HeatWish): Html {
  const { metric } = wish;
  const shown = cards.filter(({ cell }) => cell.label !== AA);
  if (shown.length === 0) return markup`<p class="empty">No cell passes these filters and needs.</p>`;
  const layout = layoutOf(run.run.plan);
  const same = Map.groupBy(shown, ({ cell }) => conditionKey(layout, cell));
  const bests = new Map([...same].map(([key, cards]) => [key, bestOf(cards, metric)]));
  const baseline = run.cells.find(({ name }) => name === wish.baseline) ?? null;
  const marksOf = marksByName(run.summary);
  const fieldOf = (card: CellCard | undefined) =>
    card === undefined
      ? markup`<td class="none"><span aria-label="not measured">·</span></td>`
      : cellOf(run, card, metric, marksOf(card.name), baseline, bests.get(conditionKey(layout, card.cell)) ?? null);
  const grid = gridOf(layout, shown);
  const sort = wish.sort === null || wish.sort >= grid.columns.length ? null : wish.sort;
  // What is not compared is not ordered among each other.
  const apart = layout.rows.filter((axis) => layout.conditions.includes(axis)).length;
  const rows = sort === null
    ? grid.rows
    : [...Map.groupBy(grid.rows, ({ texts }) => JSON.stringify(texts.slice(0, apart))).values()]
      .flatMap((same) => sorted(same, sort, metric));
  const outerOf = (row: Row | undefined) => JSON.stringify(row?.texts.slice(0, -1));
  const body = rows.map((row, n) => {
    const names = row.texts.map((text, k) => {
      const place = k < row.texts.length - 1 ? "outer" : "inner";
      return markup`<span class="${place}${text.length <= WHOLE ? " whole" : ""}">${text}</span> `;
    });
    const kind = sort !== null || outerOf(row) !== outerOf(rows[n - 1]) ? "first" : "same";
    return markup`<tr class="${kind}"><th scope="row">${names}</th>${row.cells.map(fieldOf)}</tr>`;
  });
  const heads = grid.columns.map((text, n) => headOf(text || metric.unit, n, sort));
  return markup`<table class="heat"><caption><span>${captionOf(layout, shown, metric, baseline)}</span></caption>
<thead><tr>${headOf(grid.heads.join(", "), null, sort)}${heads}</tr></thead><tbody>${body}</tbody></table>`;
}

function captionOf(layout: Layout, cards: readonly CellCard[], metric: Metric, baseline: CellCard | null): string {
  const { title, key } = metric;
  const fixed = fixedText(layout, cards[0]!.cell);
  const intervals = baseline === null && cards.some((card) => intervalText(card, metric) !== "");
  const byVerdict = key === "requests_per_second" ? ": by verdict with its interval, “≈” by rates alone" : "";
  return [
    `${title} (${metric.better === "higher" ? "more is better" : "less is better"}), ${
      cards.every(({ observations }) => observations < 2) ? "of one round" : "median over rounds"
    }${intervals ? " with its 95 % interval" : ""}`,
    fixed,
    key.endsWith("_per_second") ? "" : "what to take, above, is told by speed",
    baseline === null ? "" : `beside it × ${baseline.name}${byVerdict}`,
  ].filter((text) => text !== "").join("; ");
}

/** A head that orders the rows: by a column, or as the plan has them. */
function headOf(text: string, column: number | null, sort: number | null): Html {
  const [by, label] = column === null ? ["plan", "in the plan's order"] : [column, "best first"];
  const order = column === sort && column !== null ? markup` aria-sort="other"` : null;
  return markup`<th scope="col"${order}><button type="button" class="sort" data-sort="${by}" aria-pressed="${
    String(column === sort)
  }">${text}<span class="quiet">, ${label}</span></button></th>`;
}

/** Rows by a column, the best first; what may not be ranked stands last. */
function sorted(rows: readonly Row[], column: number, { key, better }: Metric): Row[] {
  const worth = ({ cells }: Row) => {
    const card = cells[column];
    const value = card?.[key] ?? null;
    if (card === undefined || value === null) return Number.NEGATIVE_INFINITY;
    const oriented = better === "higher" ? Math.log(Math.max(value, 1e-9)) : -Math.log(Math.max(value, 1e-9));
    return isRanked(card, key) ? oriented : oriented - 1e6;
  };
  return rows.toSorted((a, b) => worth(b) - worth(a) || 0);
}

/** What speaks against a rate says nothing of memory, start-up or files. */
const isUnderLoad = ({ key }: Metric) => !["peak_rss_bytes", "startup_ms", "disk_bytes"].includes(key);

/** Steps of colour: 10 for the best, 0 for a tenth of it or less, as ratios are what a reader compares. */
function heatOf(value: number, best: number, { better }: Metric): number {
  return Math.round(10 * Math.max(0, 1 + Math.log10(better === "higher" ? value / best : best / value)));
}

/** A value against the baseline's: by verdict where there is one. */
function besideBaseline({ summary }: ShownRun, card: CellCard, baseline: CellCard, { key }: Metric): string {
  if (card.name === baseline.name) return "baseline";
  const [value, base] = [card[key], baseline[key]];
  if (key !== "requests_per_second") return value === null || !base ? "" : `${formatRatio(value / base)} ×`;
  const found = overBaseline(summary, card, baseline);
  if (found === null) return "";
  const { ratio, interval, verdict } = found;
  const range = interval === null ? "" : ` [${formatRatio(interval.low)}, ${formatRatio(interval.high)}]`;
  return `${verdict === "no-verdict" ? "≈ " : ""}${formatRatio(ratio)} ×${range}`;
}

function cellOf(
  run: ShownRun,
  card: CellCard,
  metric: Metric,
  marks: readonly Mark[],
  baseline: CellCard | null,
  best: number | null,
): Html {
  const value = card[metric.key] ?? 0;
  const comparable = best !== null && value > 0 && isRanked(card, metric.key);
  const isBest = baseline === null ? comparable && value === best : card.name === baseline.name;
  const beside = baseline !== null
    ? besideBaseline(run, card, baseline, metric)
    : !comparable
    ? ""
    : isBest
    ? "best"
    : shareText(value, best, metric);
  const mark = isUnderLoad(metric) ? badgeOf(card, marks) : card.status === "ok" ? null : badgeOf(card, []);
  const interval = baseline === null ? intervalText(card, metric) : "";
  const name = placeText(shownAxes(run.run.plan.axes), card.cell.point.at);
  const label = card.cell.label === "main" ? "" : `, ${card.cell.label}`;
  const kind = isBest ? "best" : "other";
  const part = (kind: string, text: string) => text === "" ? null : markup` <span class="${kind}">${text}</span>`;
  return markup`<td class="h${
    comparable ? heatOf(value, best, metric) : 0
  } ${kind}"><button type="button" data-cell="${card.name}" aria-haspopup="dialog"><span class="quiet">${name}${label}: </span><span class="value">${
    valueText(card, metric)
  }</span>${part("interval", interval)}${part(`share ${kind}`, beside)}${
    mark === null ? null : markup` ${markOnCell(card, mark)}`
  }</button></td>`;
}

/** What objects stands in words; a remark that does not is a dot, read aloud and told where the cell is opened. */
function markOnCell({ status, bound }: CellCard, { text, level }: NonNullable<ReturnType<typeof badgeOf>>): Html {
  return level === "note" && status === "ok" && bound === "server"
    ? markup`<span class="mark note remark" title="${text}"><span class="quiet">${text}</span></span>`
    : markup`<span class="mark ${level}">${text}</span>`;
}
