import { percent } from "../basics/percent.ts";
import { formatBytes, formatRate, formatUs } from "../basics/units.ts";
import type { CellCard } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import { folded, printable } from "./align.ts";
import { markdownTable, markdownText } from "./markdown-table.ts";
import type { Style } from "./style.ts";

const dash = (value: number | null, format: (value: number) => string) => value === null ? "–" : format(value);
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
      one.reply_bytes === null ? "–" : rangeText(one.reply_bytes),
      ...sampled ? [dash(one.p50_us, formatUs), dash(one.p99_us, formatUs), String(one.sampled)] : [],
    ]),
  ];
}

function rangeText([least, most]: readonly [number, number]): string {
  return least === most ? formatBytes(least) : `${formatBytes(least)} to ${formatBytes(most)}`;
}

/** The same of all cells for a terminal; empty where the whole of each says it all. */
export function routeLines(cards: readonly CellCard[], style: Style, columns = Infinity): string {
  return cards.filter(({ cell }) => cell.label !== AA).map((card) => {
    const rows = routeRows(card);
    if (rows === null) return "";
    const [head, ...lines] = folded(rows, isText, columns - 2);
    const body = [...head!.map(style.dim), ...lines.flat()].map((line) => `  ${line}`);
    return [`${style.bold(printable(card.name))} ${style.dim("by route")}`, ...body, "", ""].join("\n");
  }).join("");
}

/** The same as Markdown. */
export function routeMarkdown(cards: readonly CellCard[]): string[] {
  return cards.filter(({ cell }) => cell.label !== AA).flatMap((card) => {
    const rows = routeRows(card)?.map((row) => row.map(markdownText));
    return rows === undefined
      ? []
      : [`**${markdownText(card.name)} by route**`, "", ...markdownTable(rows, isText), ""];
  });
}
