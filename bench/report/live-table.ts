import { AA, cellKey, cellName } from "../core/cell.ts";
import type { Cell } from "../core/cell-schema.ts";
import type { Plan } from "../core/plan.ts";
import type { Observation } from "../core/result/observation-record.ts";
import { median } from "../core/statistics/median.ts";
import { formatRate } from "../core/units.ts";
import { padded, printable, widthOf } from "./align.ts";
import { gridOf, layoutOf } from "./layout.ts";
import type { Style } from "./style.ts";

/** What is known of one cell so far. */
interface LiveCell {
  readonly cell: Cell;
  readonly rates: number[];
  limited: boolean;
  bad: boolean;
}

/** A table of medians that fills in while a run goes on. */
export interface LiveTable {
  /** Takes in a finished step. Returns what has just become known and must be said, once a cell; else undefined. */
  add(observation: Observation): string | undefined;
  /**
   * The table in lines that fit, laid out as all tables are. Where it is too high only rows like the one last measured
   * are shown; where it is too wide there is none.
   */
  lines(columns: number, rows: number, style: Style): string[];
}

/** An empty live table of a plan's cells. */
export function createLiveTable(plan: Pick<Plan, "axes" | "suite">): LiveTable {
  const layout = layoutOf(plan);
  const cells = new Map<string, LiveCell>();
  let newest: LiveCell | undefined;
  return {
    add({ kind, status, bound, load, members }) {
      const { cell } = members[0]!;
      if (kind !== "solo" || cell.label === AA || status === "unsupported") return undefined;
      const known = cells.get(cellKey(cell)) ?? { cell, rates: [], limited: false, bad: false };
      cells.set(cellKey(cell), known);
      newest = known;
      if (status !== "ok") {
        known.bad = true;
        return undefined;
      }
      known.rates.push(load!.requests_per_second);
      const first = bound === "generator" && !known.limited;
      known.limited ||= first;
      return first
        ? `${cellName(plan.axes, cell)}: the load generator was the limit, its rate is a lower bound`
        : undefined;
    },
    lines(columns, rows, style) {
      const isLike = (depth: number) => ({ cell }: LiveCell) =>
        layout.rows.slice(0, depth).every(({ name }) => cell.point.at[name] === newest?.cell.point.at[name]);
      for (let depth = 0; depth <= layout.rows.length; depth++) {
        const table = layOut([...cells.values()].filter(isLike(depth)), columns, style);
        if (table.length <= rows) return table;
      }
      return [];
    },
  };

  function layOut(shown: readonly LiveCell[], columns: number, style: Style): string[] {
    if (shown.length === 0) return [];
    const grid = gridOf(layout, shown);
    const heads = grid.columns.map((text) => printable(text) || "req/s");
    const names = grid.rows.map(({ texts }) => printable(texts.join(" ")));
    const first = Math.max(...names.map(widthOf));
    const widths = heads.map((head) => Math.max(9, widthOf(head)));
    if (first + widths.reduce((sum, width) => sum + width + 2, 0) > columns) return [];
    return [
      style.dim(" ".repeat(first) + heads.map((head, n) => `  ${padded(head, widths[n]!, "left")}`).join("")),
      ...grid.rows.map((row, index) =>
        padded(names[index]!, first, "right") + row.cells.map((own, n) => {
          const text = `  ${padded(textOf(own), widths[n]!, "left")}`;
          return own?.bad === true ? style.red(text) : own?.limited === true ? style.yellow(text) : text;
        }).join("")
      ),
    ];
  }
}

function textOf(cell: LiveCell | undefined): string {
  if (cell === undefined || cell.rates.length === 0) return cell?.bad === true ? "✗" : "·";
  return `${cell.bad ? "✗ " : cell.limited ? "≥ " : ""}${formatRate(median(cell.rates))}`;
}
