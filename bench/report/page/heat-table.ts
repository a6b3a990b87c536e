import { AA } from "../../core/cell.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import { conditionKey, fixedText, gridOf, layoutOf } from "../layout.ts";
import { type Flags, flagsByName, markOf } from "../mark.ts";
import { bestOf, intervalText, isRanked, type Metric, shareText, valueText } from "../metrics.ts";
import { escapeHtml } from "./escape-html.ts";
import type { ShownRun } from "./page-data.ts";

/** The heat table of some cards in the plan's layout; each cell a button that opens its evidence. */
export function heatTable({ run, summary }: ShownRun, cards: readonly CellCard[], metric: Metric): string {
  const shown = cards.filter(({ cell }) => cell.label !== AA);
  if (shown.length === 0) return '<p class="empty">No cell passes these filters.</p>';
  const layout = layoutOf(run.plan);
  const flags = flagsByName(summary);
  const bests = new Map(
    [...Map.groupBy(shown, ({ cell }) => conditionKey(layout, cell))].map(([key, same]) => [key, bestOf(same, metric)]),
  );
  const grid = gridOf(layout, shown);
  let above = "";
  const body = grid.rows.map(({ texts, cells }) => {
    const outer = JSON.stringify(texts.slice(0, -1));
    const first = outer !== above;
    above = outer;
    const names = texts.map((text, n) =>
      `<span class="${n < texts.length - 1 ? "outer" : "inner"}">${escapeHtml(text)}</span>`
    );
    const fields = cells.map((card) =>
      card === undefined
        ? '<td class="none"><span aria-label="not measured">·</span></td>'
        : cellOf(card, metric, bests.get(conditionKey(layout, card.cell)) ?? null, flags(card.name))
    );
    return `<tr${first ? ' class="first"' : ""}><th scope="row">${names.join(" ")}</th>${fields.join("")}</tr>`;
  });
  const order = metric.better === "higher" ? "more is better" : "less is better";
  const fixed = fixedText(layout, shown[0]!.cell);
  const caption = `${metric.title} (${order}), median over rounds` +
    `${metric.key === "requests_per_second" ? " with its 95 % interval" : ""}${fixed === "" ? "" : `; ${fixed}`}`;
  // The outer names stand in a column of their own, so they take the room of the longest.
  const letters = grid.heads.reduce(
    (sum, _, n) => sum + Math.max(7, ...grid.rows.map(({ texts }) => texts[n]!.length)),
    0,
  );
  const heads = [grid.heads.join(", "), ...grid.columns.map((text) => text || metric.unit)];
  return `<table class="heat" style="--columns:${grid.columns.length};--letters:${letters}"><caption>${
    escapeHtml(caption)
  }</caption><thead><tr>${
    heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join("")
  }</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function cellOf(card: CellCard, metric: Metric, best: number | null, flags: Flags): string {
  const value = card[metric.key];
  const comparable = isRanked(card) && value !== null && value > 0 && best !== null;
  const ratio = !comparable ? 0 : metric.better === "higher" ? value / best : best / value;
  // A logarithmic scale, blank at a tenth of the best: a ratio is what a reader compares.
  const heat = ratio === 0 ? 0 : Math.max(0, 1 + Math.log10(ratio));
  const isBest = comparable && value === best;
  const mark = markOf(card, flags);
  const interval = intervalText(card, metric);
  const lines = [
    `<span class="value">${escapeHtml(valueText(card, metric))}</span>`,
    interval === "" ? "" : `<span class="interval">${escapeHtml(interval)}</span>`,
    isBest
      ? '<span class="share best">best</span>'
      : comparable
      ? `<span class="share">${shareText(value, best, metric)}</span>`
      : "",
    mark === null ? "" : `<span class="mark ${mark.level}">${escapeHtml(mark.text)}</span>`,
  ];
  return `<td style="--heat:${heat.toFixed(3)}"${isBest ? ' class="best"' : ""}><button type="button" data-cell="${
    escapeHtml(card.name)
  }" aria-haspopup="dialog">${lines.filter((line) => line !== "").join(" ")}</button></td>`;
}
