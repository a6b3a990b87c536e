import { AA, MAIN, subjectName } from "../core/plan.ts";
import type { JournalLine } from "../core/result/journal-line.ts";
import type { TrialRecord } from "../core/result/trial-record.ts";
import { median } from "../core/statistics/median.ts";
import { formatRate, formatSize } from "../core/units.ts";
import type { Style } from "./style.ts";

/** What is known of one cell so far. */
interface LiveCell {
  readonly cell: TrialRecord["cell"];
  readonly label: string;
  readonly rates: number[];
  limited: boolean;
  bad: boolean;
}

/** A table of medians that fills in while a run goes on. */
export interface LiveTable {
  /** Takes in a finished step. Returns what has just become known and must be said, once a cell; else undefined. */
  add(line: JournalLine): string | undefined;
  /**
   * The table in lines that fit: stores and sizes down, runtimes across. Where it is too high only the size last
   * measured is shown; where it is too wide there is none.
   */
  lines(columns: number, rows: number, style: Style): string[];
}

/** An empty live table. */
export function createLiveTable(): LiveTable {
  const cells = new Map<string, LiveCell>();
  let newest: LiveCell | undefined;
  return {
    add(line) {
      if (line.schema !== "levelfield.trial/1" || line.label === AA) return undefined;
      const name = subjectName(line);
      const known = cells.get(name) ?? { cell: line.cell, label: line.label, rates: [], limited: false, bad: false };
      cells.set(name, known);
      newest = known;
      if (line.status !== "ok") {
        known.bad = true;
        return undefined;
      }
      known.rates.push(line.load!.requests_per_second);
      const first = line.bound === "generator" && !known.limited;
      known.limited ||= first;
      return first
        ? `${line.cell.runtime}/${line.cell.store}/${
          formatSize(line.cell.size)
        }: the load generator was the limit, its rate is a lower bound`
        : undefined;
    },
    lines(columns, rows, style) {
      const all = [...cells.values()];
      const table = layOut(all, columns, style);
      if (table.length <= rows) return table;
      const part = layOut(all.filter(({ cell }) => cell.size === newest?.cell.size), columns, style);
      return part.length <= rows ? part : [];
    },
  };
}

function layOut(cells: readonly LiveCell[], columns: number, style: Style): string[] {
  if (cells.length === 0) return [];
  const runtimes = [...new Set(cells.map(({ cell }) => cell.runtime))].sort();
  const groups = Map.groupBy(cells, ({ cell, label }) => JSON.stringify([cell.size, cell.store, label]));
  const rows = [...groups.values()].sort((a, b) =>
    a[0]!.cell.size - b[0]!.cell.size || nameOf(a[0]!).localeCompare(nameOf(b[0]!))
  );
  const names = rows.map((row) => `${formatSize(row[0]!.cell.size)} ${nameOf(row[0]!)}`);
  const first = Math.max(...names.map((name) => name.length));
  const widths = runtimes.map((runtime) => Math.max(9, runtime.length));
  if (first + widths.reduce((sum, width) => sum + width + 2, 0) > columns) return [];
  const head = `${" ".repeat(first)}${runtimes.map((runtime, n) => `  ${runtime.padStart(widths[n]!)}`).join("")}`;
  return [
    style.dim(head),
    ...rows.map((row, index) =>
      names[index]!.padEnd(first) + runtimes.map((runtime, n) => {
        const own = row.find(({ cell }) => cell.runtime === runtime);
        const text = own === undefined ? "·" : textOf(own);
        const padded = `  ${text.padStart(widths[n]!)}`;
        return own?.bad === true ? style.red(padded) : own?.limited === true ? style.yellow(padded) : padded;
      }).join("")
    ),
  ];
}

const nameOf = ({ cell, label }: LiveCell) => label === MAIN ? cell.store : `${cell.store}@${label}`;

function textOf({ rates, limited, bad }: LiveCell): string {
  if (rates.length === 0) return bad ? "✗" : "·";
  return `${bad ? "✗ " : limited ? "≥ " : ""}${formatRate(median(rates))}`;
}
