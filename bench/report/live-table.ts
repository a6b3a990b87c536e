import { isLowerBound } from "../judge/bound.ts";
import { AA, cellKey, cellName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import type { Plan } from "../record/plan.ts";
import { rateOf, type Solo, solosOf } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import { median } from "../statistics/median.ts";
import { formatRate } from "../basics/units.ts";
import { padded, printable, widthOf } from "./align.ts";
import { gridOf, layoutOf } from "./layout.ts";
import type { Style } from "./style.ts";
import { BOUND } from "../record/outcome-schema.ts";

interface LiveCell {
  readonly cell: Cell;
  readonly rates: number[];
  /** Its rate in the current step, and true for a lower bound; null without one. */
  early: { readonly rate: number; readonly limited: boolean } | null;
  limited: boolean;
  bad: boolean;
  impossible: boolean;
}

/** A table of medians that fills while a run continues. */
export interface LiveTable {
  /** Adds a finished step. Returns lines that have just become known, once a cell. */
  add(observation: Observation): string[];
  /** Adds the result of one of several servers alone while their step continues; the finished step replaces it. */
  addEarly(solo: Omit<Solo, "line">): void;
  /** The table in lines that fit: rows like the last measured where it is too high, none where it is too wide. */
  lines(columns: number, rows: number, style: Style): string[];
}

/** The whole table of a plan's cells, with nothing measured yet. */
export function createLiveTable(
  plan: Pick<Plan, "axes" | "suite" | "cells" | "solo" | "ensembles" | "alone_rounds"> & WordedPlan,
): LiveTable {
  const unit = inWords(plan, "req/s");
  const layout = layoutOf(plan);
  // Cells that are only measured together have no rate.
  const together = plan.alone_rounds === 0 ? [] : plan.ensembles.flatMap((ensemble) => ensemble.cells);
  const measured = new Set([...plan.solo.map((one) => one.cell), ...together]);
  const cells = new Map(
    plan.cells.filter(({ label }, place) => label !== AA && measured.has(place)).map((cell): [string, LiveCell] => [
      cellKey(cell),
      { cell, rates: [], early: null, limited: false, bad: false, impossible: false },
    ]),
  );
  let newest = [...cells.values()][0];
  return {
    addEarly(solo) {
      const known = cells.get(cellKey(solo.member.cell));
      if (known === undefined) return;
      newest = known;
      const rate = rateOf(solo);
      known.early = rate === null ? null : { rate, limited: isLowerBound(solo.bound) };
    },
    add(observation) {
      return solosOf(observation).flatMap((solo) => {
        const { status, bound, member: { cell } } = solo;
        const rate = rateOf(solo);
        const known = cells.get(cellKey(cell));
        if (known === undefined) return [];
        newest = known;
        known.early = null;
        known.impossible ||= status === "unsupported";
        known.bad ||= status === "invalid" || status === "failed";
        if (rate === null) return [];
        known.rates.push(rate);
        const first = isLowerBound(bound) && !known.limited;
        known.limited ||= first;
        return first
          ? [`${cellName(plan.axes, cell)}: ${BOUND[bound].text} was the limit, its rate is a lower bound`]
          : [];
      });
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
    const heads = grid.columns.map(printable);
    const names = grid.rows.map(({ texts }) => printable(texts.join(" ")));
    const first = Math.max(...[unit, ...names].map(widthOf));
    const widths = heads.map((head) => Math.max(9, widthOf(head)));
    if (first + widths.reduce((sum, width) => sum + width + 2, 0) > columns) return [];
    const head = padded(unit, first, "right") +
      heads.map((text, n) => `  ${padded(text, widths[n]!, "left")}`).join("");
    return [
      style.dim(head.trimEnd()),
      ...grid.rows.map((row, index) =>
        padded(names[index]!, first, "right") + row.cells.map((figure, n) => {
          const text = `  ${padded(textOf(figure), widths[n]!, "left")}`;
          return figure?.bad === true
            ? style.red(text)
            : figure !== undefined && isLimited(figure)
            ? style.yellow(text)
            : text;
        }).join("")
      ),
    ];
  }
}

const isLimited = ({ limited, early }: LiveCell) => limited || early?.limited === true;

/** `72.1k`, `≥ 72.1k` where generator or network was the limit, "✗" where it went wrong, "–" where there is no such cell. */
function textOf(cell: LiveCell | undefined): string {
  if (cell === undefined) return "–";
  const rates = cell.early === null ? cell.rates : [...cell.rates, cell.early.rate];
  if (rates.length === 0) return cell.bad ? "✗" : cell.impossible ? "–" : "·";
  return `${cell.bad ? "✗ " : isLimited(cell) ? "≥ " : ""}${formatRate(median(rates))}`;
}
