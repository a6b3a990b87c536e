import { AA, MAIN, subjectName } from "../../core/plan.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import { formatSize } from "../../core/units.ts";
import { escapeHtml } from "./escape-html.ts";
import { intervalText, isRanked, type Metric, metricOf, valueText } from "./metrics.ts";
import type { ShownRun } from "./page-data.ts";
import { shows, type View } from "./view.ts";

/** The heat table: a row a store and runtime, a column a size; each cell a button that opens its evidence. */
export function heatTable({ cells, summary }: ShownRun, view: View): string {
  const metric = metricOf(view.metric);
  const shown = cells.filter((card) => card.label !== AA && shows(view, card));
  if (shown.length === 0) return '<p class="empty">No cell passes these filters.</p>';
  const sizes = [...new Set(shown.map((card) => card.cell.size))].sort((a, b) => a - b);
  const flags = new Map(summary.cells.map((cell) => [cell.subject, cell.flags]));
  const bests = new Map(sizes.map((size) => [size, bestOf(shown.filter(({ cell }) => cell.size === size), metric)]));
  const rows = Object.values(Object.groupBy(shown, rowKey)) as CellCard[][];
  const head = sizes.map((size) => `<th scope="col">${formatSize(size)} users</th>`).join("");
  let lastStore = "";
  const body = rows.sort((a, b) => rowOrder(a[0]!, b[0]!, cells)).map((row) => {
    const { cell, label } = row[0]!;
    const bySize = new Map(row.map((card) => [card.cell.size, card]));
    const columns = sizes.map((size) => {
      const card = bySize.get(size);
      return card === undefined
        ? '<td class="none"><span aria-label="not measured">·</span></td>'
        : cellOf(card, metric, bests.get(size) ?? null, flags.get(subjectName(card)) ?? []);
    });
    const store = escapeHtml(cell.store);
    const first = cell.store !== lastStore;
    lastStore = cell.store;
    const name = label === MAIN ? "" : ` <span class="label">@${escapeHtml(label)}</span>`;
    const suite = new Set(cells.map((card) => `${card.cell.suite}/${card.cell.workload}`)).size > 1
      ? ` <span class="label">${escapeHtml(`${cell.suite}/${cell.workload}`)}</span>`
      : "";
    return `<tr${first ? ' class="first"' : ""}><th scope="row"><span class="store">${store}</span> ` +
      `<span class="runtime">${escapeHtml(cell.runtime)}</span>${name}${suite}</th>${columns.join("")}</tr>`;
  });
  const order = metric.better === "higher" ? "more is better" : "less is better";
  return `<table class="heat" style="--columns:${sizes.length}"><caption>${metric.title} (${order}), median over rounds` +
    `${metric.key === "requests_per_second" ? " with its 95 % interval" : ""}</caption>` +
    `<thead><tr><th scope="col">Store and runtime</th>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

const rowKey = ({ cell, label }: CellCard) =>
  [cell.suite, cell.workload, cell.store, cell.runtime, label].join("\u0000");

/** Stores and runtimes in the order the plan has them. */
function rowOrder(a: CellCard, b: CellCard, cells: readonly CellCard[]): number {
  const stores = [...new Set(cells.map((card) => card.cell.store))];
  return stores.indexOf(a.cell.store) - stores.indexOf(b.cell.store) || cells.indexOf(a) - cells.indexOf(b);
}

/** The best value of a column among cells that may be ranked. */
function bestOf(cards: readonly CellCard[], { key, better }: Metric): number | null {
  const values = cards.filter(isRanked).flatMap((card) => card[key] ?? []).filter((value) => value > 0);
  if (values.length === 0) return null;
  return better === "higher" ? Math.max(...values) : Math.min(...values);
}

function cellOf(
  card: CellCard,
  metric: Metric,
  best: number | null,
  flags: ShownRun["summary"]["cells"][number]["flags"],
): string {
  const value = card[metric.key];
  const ranked = isRanked(card);
  const comparable = ranked && value !== null && value > 0 && best !== null;
  const ratio = !comparable ? 0 : metric.better === "higher" ? value / best : best / value;
  // A logarithmic scale, blank at a tenth of the best: a ratio is what a reader compares.
  const heat = ratio === 0 ? 0 : Math.max(0, 1 + Math.log10(ratio));
  const isBest = ranked && value !== null && value === best;
  const share = comparable && !isBest ? shareText(value, best, metric) : "";
  const mark = markOf(card, flags);
  const interval = intervalText(card, metric);
  const lines = [
    `<span class="value">${escapeHtml(valueText(card, metric))}</span>`,
    interval === "" ? "" : `<span class="interval">${escapeHtml(interval)}</span>`,
    isBest ? '<span class="share best">best</span>' : share === "" ? "" : `<span class="share">${share}</span>`,
    mark === null ? "" : `<span class="mark ${mark.level}">${escapeHtml(mark.text)}</span>`,
  ];
  return `<td style="--heat:${heat.toFixed(3)}"${isBest ? ' class="best"' : ""}><button type="button" data-cell="${
    escapeHtml(subjectName(card))
  }" aria-haspopup="dialog">${lines.join(" ")}</button></td>`;
}

function shareText(value: number, best: number, { better }: Metric): string {
  const ratio = value / best;
  if (better === "lower") return `${ratio >= 9.95 ? Math.round(ratio) : ratio.toFixed(1)}×`;
  return ratio >= 0.0995 ? `${Math.round(100 * ratio)} %` : `${(100 * ratio).toPrecision(2)} %`;
}

/** What must be known before a cell's figure is believed, in a word; null when nothing must. */
export function markOf(
  card: CellCard,
  flags: readonly { readonly code: string; readonly objection: boolean }[],
): { readonly text: string; readonly level: "bad" | "warn" | "note" } | null {
  if (card.status !== "ok") return { text: card.status, level: "bad" };
  if (card.bound === "generator") return { text: "generator-bound", level: "warn" };
  const objections = flags.filter((flag) => flag.objection);
  if (objections.length > 0) {
    const more = objections.length > 1 ? ` +${objections.length - 1}` : "";
    return { text: objections[0]!.code.replaceAll("-", " ") + more, level: "warn" };
  }
  if (card.bound !== "server") return { text: `bound: ${card.bound}`, level: "note" };
  return flags.length === 0 ? null : { text: flags[0]!.code.replaceAll("-", " "), level: "note" };
}
