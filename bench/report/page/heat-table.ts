import { AA, placeText, shownAxes } from "../../record/cell.ts";
import type { CellCard } from "../../result/cell-card.ts";
import { overBaseline } from "../../result/over-baseline.ts";
import { formatRatio } from "../../basics/units.ts";
import { conditionKey, fixedText, gridOf, type Layout, layoutOf } from "../layout.ts";
import { type Flags, flagsByName, markOf } from "../mark.ts";
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

/** The heat table of some cards; each cell a button that opens its evidence, each head one that orders the rows. */
export function heatTable({ run, summary, cells }: ShownRun, cards: readonly CellCard[], wish: HeatWish): Html {
  const { metric } = wish;
  const shown = cards.filter(({ cell }) => cell.label !== AA);
  if (shown.length === 0) return markup`<p class="empty">No cell passes these filters and needs.</p>`;
  const layout = layoutOf(run.plan);
  const flags = flagsByName(summary);
  const bests = new Map(
    [...Map.groupBy(shown, ({ cell }) => conditionKey(layout, cell))].map(([key, same]) => [key, bestOf(same, metric)]),
  );
  const baseline = cells.find(({ name }) => name === wish.baseline) ?? null;
  const besideOf = (card: CellCard) =>
    baseline === null
      ? besideBest(card, metric, bests.get(conditionKey(layout, card.cell)) ?? null)
      : besideBaseline(summary, card, baseline, metric);
  const grid = gridOf(layout, shown);
  const sort = wish.sort === null || wish.sort >= grid.columns.length ? null : wish.sort;
  // What is not compared is not ordered among each other.
  const apart = layout.rows.filter((axis) => layout.conditions.includes(axis)).length;
  const rows = sort === null
    ? grid.rows
    : [...Map.groupBy(grid.rows, ({ texts }) => JSON.stringify(texts.slice(0, apart))).values()]
      .flatMap((same) => sorted(same, sort, metric));
  let above: string | null = null;
  const body = rows.map(({ texts, cells }) => {
    const outer = JSON.stringify(texts.slice(0, -1));
    const first = sort !== null || outer !== above;
    above = outer;
    const names = texts.map((text, n) =>
      markup`<span class="${n < texts.length - 1 ? "outer" : "inner"}${
        text.length <= WHOLE ? " whole" : ""
      }">${text}</span>${n < texts.length - 1 ? " " : null}`
    );
    const fields = cells.map((card) =>
      card === undefined
        ? markup`<td class="none"><span aria-label="not measured">·</span></td>`
        : cellOf(card, wish, heatOf(card, metric, bests.get(conditionKey(layout, card.cell)) ?? null), {
          name: placeText(shownAxes(run.plan.axes), card.cell.point.at),
          flags: flags(card.name),
          beside: besideOf(card),
          isBest: baseline === null && isComparable(card, metric) &&
            card[metric.key] === bests.get(conditionKey(layout, card.cell)),
        })
    );
    return markup`<tr class="${first ? "first" : "same"}"><th scope="row">${names}</th>${fields}</tr>`;
  });
  return markup`<table class="heat"><caption><span>${
    captionOf(layout, shown, wish, baseline)
  }</span></caption><thead><tr>${headOf(grid.heads.join(", "), null, sort)}${
    grid.columns.map((text, n) => headOf(text || metric.unit, n, sort))
  }</tr></thead><tbody>${body}</tbody></table>`;
}

function captionOf(
  layout: Layout,
  cards: readonly CellCard[],
  { metric }: HeatWish,
  baseline: CellCard | null,
): string {
  const order = metric.better === "higher" ? "more is better" : "less is better";
  const fixed = fixedText(layout, cards[0]!.cell);
  const over = cards.every(({ observations }) => observations < 2) ? "of one round" : "median over rounds";
  const intervals = baseline === null && cards.some((card) => intervalText(card, metric) !== "");
  const bySpeed = metric.key.endsWith("_per_second") ? "" : "; what to take, above, is told by speed";
  return `${metric.title} (${order}), ${over}` +
    `${intervals ? " with its 95 % interval" : ""}${fixed === "" ? "" : `; ${fixed}`}${bySpeed}${
      baseline === null
        ? ""
        : `; beside it × ${baseline.name}${
          metric.key === "requests_per_second" ? ": by verdict with its interval, “≈” by rates alone" : ""
        }`
    }`;
}

/** A head that orders the rows: by a column, or as the plan has them. */
function headOf(text: string, column: number | null, sort: number | null): Html {
  const own = column === sort;
  const label = column === null ? "in the plan's order" : "best first";
  return markup`<th scope="col" ${
    own && column !== null ? markup`aria-sort="other"` : null
  }><button type="button" class="sort" data-sort="${column === null ? "plan" : column}" aria-pressed="${
    String(own)
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
/** Characters of a name that stays on one line where there is room for a table. */
const WHOLE = 16;

const isUnderLoad = ({ key }: Metric) => !["peak_rss_bytes", "startup_ms", "disk_bytes"].includes(key);

const isComparable = (card: CellCard, { key }: Metric) => isRanked(card, key) && (card[key] ?? 0) > 0;

/** Steps of colour: 10 for the best, 0 for a tenth of it or less, as ratios are what a reader compares. */
function heatOf(card: CellCard, metric: Metric, best: number | null): number {
  if (!isComparable(card, metric) || best === null) return 0;
  const value = card[metric.key]!;
  const ratio = metric.better === "higher" ? value / best : best / value;
  return Math.round(10 * Math.max(0, 1 + Math.log10(ratio)));
}

function besideBest(card: CellCard, metric: Metric, best: number | null): Html | null {
  if (!isComparable(card, metric) || best === null) return null;
  const value = card[metric.key]!;
  return value === best
    ? markup`<span class="share best">best</span>`
    : markup`<span class="share">${shareText(value, best, metric)}</span>`;
}

function besideBaseline(
  summary: ShownRun["summary"],
  card: CellCard,
  baseline: CellCard,
  metric: Metric,
): Html | null {
  if (card.name === baseline.name) return markup`<span class="share best">baseline</span>`;
  if (metric.key !== "requests_per_second") {
    const [value, base] = [card[metric.key], baseline[metric.key]];
    return value === null || base === null || base === 0
      ? null
      : markup`<span class="share">${formatRatio(value / base)} ×</span>`;
  }
  const found = overBaseline(summary, card, baseline);
  if (found === null) return null;
  const { ratio, interval: range, verdict } = found;
  const interval = range === null ? "" : ` [${formatRatio(range.low)}, ${formatRatio(range.high)}]`;
  const by = verdict === "no-verdict" ? "rates" : "verdict";
  return markup`<span class="share ${by}">${by === "rates" ? "≈ " : ""}${formatRatio(ratio)} ×${interval}</span>`;
}

function cellOf(
  card: CellCard,
  { metric, baseline }: HeatWish,
  heat: number,
  { name, flags, beside, isBest }: {
    readonly name: string;
    readonly flags: Flags;
    readonly beside: Html | null;
    readonly isBest: boolean;
  },
): Html {
  const mark = isUnderLoad(metric) ? markOf(card, flags) : card.status === "ok" ? null : markOf(card, []);
  const interval = baseline === null ? intervalText(card, metric) : "";
  const kind = card.name === baseline || isBest ? "best" : "other";
  const label = card.cell.label === "main" ? "" : `, ${card.cell.label}`;
  return markup`<td class="h${heat} ${kind}"><button type="button" data-cell="${card.name}" aria-haspopup="dialog"><span class="quiet">${name}${label}: </span><span class="value">${
    valueText(
      card,
      metric,
    )
  }</span>${interval === "" ? null : markup` <span class="interval">${interval}</span>`}${
    beside === null ? null : markup` ${beside}`
  }${mark === null ? null : markup` ${markOnCell(card, mark)}`}</button></td>`;
}

/** What objects stands in words; a remark that does not is a dot, read aloud and told where the cell is opened. */
function markOnCell({ status, bound }: CellCard, { text, level }: NonNullable<ReturnType<typeof markOf>>): Html {
  return level === "note" && status === "ok" && bound === "server"
    ? markup`<span class="mark note remark" title="${text}"><span class="quiet">${text}</span></span>`
    : markup`<span class="mark ${level}">${text}</span>`;
}
