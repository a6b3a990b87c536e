import { dash, formatBytes, formatRate, formatUs, fromTo, percent } from "../basics/units.ts";
import type { CellCard } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import { printable, tableLines } from "./align.ts";
import { markdownTable, markdownText } from "./markdown-table.ts";
import type { Style } from "./style.ts";

/** Columns of text. */
const isText = (column: number) => column < 2;

/** What each kind of request of a cell did, its heads first; null where the cell says nothing the whole does not. */
export function routeRows({ routes }: Pick<CellCard, "routes">): string[][] | null {
  if (routes === undefined) return null;
  const sampled = routes.some((one) => one.sampled > 0);
  return [
    ["route", "status", "share", "req/s", "bytes a reply", ...sampled ? ["p50", "p99", "samples"] : []],
    ...routes.map((one) => [
      one.route,
      one.statuses.join(", ") || "–",
      dash(one.share, percent),
      dash(one.requests_per_second, formatRate),
      one.reply_bytes === null ? "–" : fromTo(formatBytes(one.reply_bytes[0]), formatBytes(one.reply_bytes[1])),
      ...sampled ? [dash(one.p50_us, formatUs), dash(one.p99_us, formatUs), String(one.sampled)] : [],
    ]),
  ];
}

/** The same of all cells for a terminal; empty where the whole of each says it all. */
export function routeLines(cards: readonly CellCard[], style: Style, columns = Infinity): string {
  return cards.filter(({ cell }) => cell.label !== AA).map((card) => {
    const rows = routeRows(card);
    if (rows === null) return "";
    const title = `${style.bold(printable(card.name))} ${style.dim("by route")}`;
    return [title, ...tableLines(rows, isText, { style, columns }), "", ""].join("\n");
  }).join("");
}

/** The same as Markdown. */
export function routeMarkdown(cards: readonly CellCard[]): string[] {
  return cards.filter(({ cell }) => cell.label !== AA).flatMap((card) => {
    const rows = routeRows(card);
    return rows === null ? [] : [`**${markdownText(card.name)} by route**`, "", ...markdownTable(rows, isText), ""];
  });
}
