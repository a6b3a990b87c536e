import { type RateAxis, ratesOf, searchedIn } from "../../plan/rate-windows.ts";
import { AA, atRateOf, cellKey, cellName, isAtRate, RATE } from "../../record/cell.ts";
import type { LatencyCell } from "../../record/latency-schema.ts";
import type { Plan } from "../../record/plan.ts";
import type { Summary } from "../../record/summary.ts";
import type { MeasuredCell } from "../measured-cells.ts";
import { comparedAtRates } from "./at-same-rates.ts";
import { waitSentence } from "./wait-sentence.ts";
import { rowOf } from "../../record/mark.ts";

/** Returns findings of a run along the axis `rate` on its cells and between them; nothing for any other run. */
export function ratesSummary(plan: Plan, cells: readonly MeasuredCell[]): Pick<Summary, "latency" | "open_loop"> {
  const { further } = plan;
  if (further === undefined) return {};
  const byKey = new Map(cells.map((cell) => [cellKey(cell.cell), cell]));
  const openLoop = comparedAtRates(plan, cells);
  return {
    latency: cells.filter(({ cell }) => !isAtRate(cell.point.at) && cell.label !== AA).map((closed) =>
      latencyCell(plan, further, closed, ratesOf(plan).map((rate) => byKey.get(cellKey(atRateOf(closed.cell, rate)))!))
    ),
    ...(openLoop === undefined ? {} : { open_loop: openLoop }),
  };
}

function latencyCell(plan: Plan, axis: RateAxis, closed: MeasuredCell, atRates: readonly MeasuredCell[]): LatencyCell {
  const found = searchedIn(plan, axis, closed.solo);
  const contradiction = closed.marks.find((one) => rowOf(one).contradicts);
  const cards = atRates.flatMap(({ card }) => card ?? []);
  return {
    name: cellName(plan.axes.filter(({ name }) => name !== RATE), closed.cell),
    closed: closed.name,
    at_rates: atRates.map(({ name }) => name),
    ...found,
    sentence: waitSentence({ ...found, cards, contradiction, limit: axis.limit }),
  };
}
