import { dueLatency } from "../../judge/open-loop.ts";
import { type RateAxis, ratesOf, searchedIn } from "../../plan/rate-windows.ts";
import { atRateOf, cellKey, isAtRate, pointName, RATE } from "../../record/cell.ts";
import type { LatencyCell } from "../../record/latency-schema.ts";
import type { Plan } from "../../record/plan.ts";
import type { Summary } from "../../record/summary.ts";
import type { MeasuredCell } from "../measured-cells.ts";
import { betweenCells, type RatedCell } from "./between-cells.ts";
import { waitSentence } from "./wait-sentence.ts";

/** Returns what a run along the axis `rate` says of its cells, and between them; nothing of any other run. */
export function ratesSummary(plan: Plan, cells: readonly MeasuredCell[]): Pick<Summary, "latency" | "latency_between"> {
  const { further } = plan;
  if (further?.axis !== "rate") return {};
  const byKey = new Map(cells.map((cell) => [cellKey(cell.cell), cell]));
  const made = cells.filter(({ cell }) => !isAtRate(cell.point.at)).map((closed) => {
    const atRates = ratesOf(plan).map((rate) => byKey.get(cellKey(atRateOf(closed.cell, rate)))!);
    const cell = latencyCell(plan, further, closed, atRates);
    return { cell, rated: { name: cell.name, at: closed.cell.point.at, marks: closed.marks, waits: waitsOf(atRates) } };
  });
  const between = betweenCells(plan, made.map(({ rated }): RatedCell => rated));
  return {
    latency: made.map(({ cell }) => cell),
    ...(between.length === 0 ? {} : { latency_between: between }),
  };
}

function latencyCell(plan: Plan, axis: RateAxis, closed: MeasuredCell, atRates: readonly MeasuredCell[]): LatencyCell {
  const found = searchedIn(plan, axis, closed.solo);
  const contradiction = closed.marks.find(({ code }) => code === "rates-contradict");
  const cards = atRates.flatMap(({ card }) => card ?? []);
  return {
    name: pointName(plan.axes.filter(({ name }) => name !== RATE), closed.cell.point),
    closed: closed.name,
    at_rates: atRates.map(({ name }) => name),
    ...found,
    sentence: waitSentence({ ...found, cards, contradiction, limit: axis.limit }),
  };
}

/** Waits of 99 % in µs by requests per second, of each rate that is no share. */
function waitsOf(atRates: readonly MeasuredCell[]): Map<number, number[]> {
  return new Map(atRates.flatMap(({ cell, solo }) => {
    const rate = cell.point.at[RATE];
    const sound = solo.filter(({ status }) => status === "ok");
    return typeof rate === "number" ? [[rate, sound.flatMap((one) => dueLatency(one)?.p99_us ?? [])]] : [];
  }));
}
