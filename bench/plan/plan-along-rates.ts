import type { Suite, Value } from "../../suites/suite.ts";
import { AA, atRateOf, CLOSED, RATE } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Plan } from "../record/plan.ts";
import { readable } from "./make-plan.ts";
import { valuesOf } from "./make-alone-plan.ts";
import { planAxes } from "./plan-parts.ts";
import { type RateAxis, roundsAfterRates } from "./rate-windows.ts";

/**
 * Returns a plan in which each cell is measured alone, and each of its servers at all rates after its closed loop. It
 * compares nothing, so it has neither ceilings nor A/A. Throws a usage error for more than a run may be.
 *
 * @param suite has the axis; cells of the plan are closed loops
 * @param rates values of the axis besides the closed loop
 */
export async function planAlongRates(
  suite: Suite,
  plan: Plan,
  rates: readonly Value[],
  axis: RateAxis,
): Promise<Plan> {
  const closed = plan.cells.filter(({ label }) => label !== AA);
  const values = [CLOSED, ...inOrder(rates)];
  const cells = closed.flatMap((cell): Cell[] => values.map((rate) => atRateOf(cell, rate)));
  const rounds = plan.rounds + roundsAfterRates(axis);
  const { together_first: _, like: __, ...rest } = plan;
  return readable(suite, {
    ...rest,
    axes: await planAxes(suite, { ...valuesOf(suite, closed.map(({ point }) => point.at)), [RATE]: values }),
    cells,
    solo: closed.map((_, n) => ({ cell: n * values.length, rounds })),
    ...{ ensembles: [], ceilings: [], expectations: [], rounds, further: axis },
  });
}

/** Shares of the capacity, then requests per second, each once and in ascending order. */
function inOrder(rates: readonly Value[]): Value[] {
  const place = (rate: Value) => typeof rate === "number" ? [1, rate] : [0, Number.parseFloat(rate)];
  return [...new Set(rates)].sort((a, b) => place(a)[0]! - place(b)[0]! || place(a)[1]! - place(b)[1]!);
}
