import { dash, formatBytes, percent } from "../basics/units.ts";
import { formatCpuList } from "../basics/cpu-list.ts";
import { WORKERS_AXIS, workersOf } from "../plan/workers.ts";
import type { CellCard } from "../record/card.ts";
import { AA, atWithout, pointKey } from "../record/cell.ts";
import { printable, tableLines } from "./align.ts";
import { markdownTable } from "./markdown-table.ts";
import { formatCpu } from "./metrics.ts";
import type { Style } from "./style.ts";

const HEADS = ["cell", "of one worker × n", "CPU/req", "memory each", "requests", "CPU", "beside", "on CPUs"];

const isText = (column: number) => column === 0;

/**
 * What workers of cells had of their servers' requests and CPU time, heads first, and how much of so many single servers'
 * rate that came to; null where no cell has workers.
 */
export function workerRows(cards: readonly CellCard[], all: readonly CellCard[] = cards): string[][] | null {
  const own = cards.filter(({ cell, workers }) => cell.label !== AA && workers !== undefined);
  if (own.length === 0) return null;
  return [
    HEADS,
    ...own.map((card) => {
      const { each, beside_share } = card.workers!;
      const parts = (of: (worker: typeof each[number]) => number | null, text: (value: number) => string) =>
        each.some((worker) => of(worker) !== null) ? each.map((worker) => dash(of(worker), text)).join(" + ") : "–";
      const share = (value: number) => percent(value, 0);
      return [
        printable(card.name),
        efficiencyText(card, all),
        dash(card.cpu_ns_per_request, formatCpu),
        parts(({ bytes }) => bytes, formatBytes),
        parts(({ request_share }) => request_share, share),
        parts(({ cpu_share }) => cpu_share, share),
        dash(beside_share, percent),
        formatCpuList([...new Set(each.flatMap(({ cpus }) => cpus))].sort((a, b) => a - b)) || "–",
      ];
    }),
  ];
}

/** The rate of so many workers over as many times that of one started the same way, or by itself. */
function efficiencyText(card: CellCard, all: readonly CellCard[]): string {
  const { point, label } = card.cell;
  const count = workersOf(point.at);
  const keyOf = ({ cell }: CellCard, ...without: string[]) =>
    pointKey({ ...cell.point, at: atWithout(cell.point.at, WORKERS_AXIS, ...without) });
  const ones = all.filter(({ cell }) => cell.label === label && workersOf(cell.point.at) === 1);
  const one = ones.find((other) => keyOf(other) === keyOf(card)) ??
    ones.find((other) => other.workers === undefined && keyOf(other, "workersBy") === keyOf(card, "workersBy"));
  const [rate, single] = [card.requests_per_second, one?.requests_per_second ?? null];
  return count === 1 || rate === null || !single ? "–" : percent(rate / single / count, 0);
}

/** The same for a terminal; empty where no cell has workers. */
export function workerLines(cards: readonly CellCard[], style: Style, columns = Infinity): string {
  const rows = workerRows(cards);
  if (rows === null) return "";
  const title = style.bold("Workers, the busiest first");
  return [title, ...tableLines(rows, isText, { style, columns }), "", ""].join("\n");
}

/** The same in Markdown. */
export function workerMarkdown(cards: readonly CellCard[]): string[] {
  const rows = workerRows(cards);
  if (rows === null) return [];
  return [
    "**Workers, the busiest first**",
    "",
    ...markdownTable(rows, isText),
    "",
  ];
}
