import type { CellCard } from "../core/result/cell-card.ts";
import { AA, MAIN } from "../core/plan.ts";
import { formatRate, formatSize, formatUs } from "../core/units.ts";
import type { Style } from "./style.ts";

/**
 * One table a size: stores down, runtimes side by side would be too wide for a terminal, so a row a runtime and store,
 * fastest first. Generator-bound cells print "≥" and carry no place; cells that are not ok say why.
 */
export function cellTables(cards: readonly CellCard[], style: Style): string {
  cards = cards.filter((card) => card.label !== AA);
  const sizes = [...new Set(cards.map((card) => card.cell.size))].sort((a, b) => a - b);
  return sizes.map((size) => sizeTable(size, cards.filter((card) => card.cell.size === size), style)).join("\n");
}

const HEADER = ["runtime", "store", "req/s", "of best", "CPU µs/req", "p99", "bound"];

/** Cells that can be compared: measured, and not limited by the generator. */
const ranked = (card: CellCard) => card.status === "ok" && card.bound !== "generator";

function sizeTable(size: number, cards: readonly CellCard[], style: Style): string {
  const best = Math.max(...cards.filter(ranked).map((card) => card.requests_per_second!), 0);
  const rows = [...cards]
    .sort((a, b) => (b.requests_per_second ?? -1) - (a.requests_per_second ?? -1))
    .map((card): { cells: string[]; note: string } => {
      const { runtime } = card.cell;
      const store = card.label === MAIN ? card.cell.store : `${card.cell.store}@${card.label}`;
      const rate = card.requests_per_second;
      if (rate === null) return { cells: [runtime, store, "–", "–", "–", "–", "–"], note: noteOf(card) };
      return {
        cells: [
          runtime,
          store,
          card.bound === "generator" ? `≥ ${formatRate(rate)}` : formatRate(rate),
          ranked(card) && best > 0 ? ratioText(rate / best) : "–",
          card.cpu_ns_per_request === null ? "–" : plainUs(card.cpu_ns_per_request / 1000),
          card.p99_us === null ? "–" : formatUs(card.p99_us),
          card.bound,
        ],
        note: noteOf(card),
      };
    });
  const widths = HEADER.map((head, column) => Math.max(head.length, ...rows.map((row) => row.cells[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)).join("  ");
  const body = rows.map((row) => {
    const text = line(row.cells);
    return row.note === "" ? `  ${text}` : `${style.red("✗")} ${text}  ${style.red(row.note)}`;
  });
  return [style.bold(`${formatSize(size)} users`), style.dim(`  ${line(HEADER)}`), ...body, ""].join("\n");
}

/** Three digits, or all of them above: never an exponent. */
function plainUs(us: number): string {
  return us < 999.5 ? us.toPrecision(3) : String(Math.round(us));
}

function ratioText(ratio: number): string {
  return ratio === 1 ? "best" : ratio >= 0.0995 ? `${Math.round(ratio * 100)} %` : `${(ratio * 100).toPrecision(2)} %`;
}

function noteOf(card: CellCard): string {
  if (card.status === "ok") return "";
  const reason = card.reasons[0]?.message ?? "";
  return `${card.status} in ${card.trials - card.trials_ok} of ${card.trials} trials: ${reason}`;
}
