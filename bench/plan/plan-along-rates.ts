import type { Suite, Value } from "../../suites/suite.ts";
import { AA, atRateOf, CLOSED_LOOP, RATE } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Plan } from "../record/plan.ts";
import { leastForMedianInterval } from "../statistics/median.ts";
import { familyLevel } from "../statistics/verdict.ts";
import { comparedPairs } from "./families.ts";
import { readablePlan } from "./make-plan.ts";
import { valuesOf } from "./make-alone-plan.ts";
import { planAxes } from "./plan-parts.ts";
import { type RateAxis, roundsAfterRates } from "./rate-windows.ts";

/**
 * Returns a plan in which each server is measured at all rates after its closed loop. Cells of an ensemble are compared:
 * their servers are warm together and have their windows by turns, at shares of what the slowest can do. Each other cell
 * is measured by itself, and so is each cell in the search for a limit. Throws a usage error for more than a run may be.
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
  const shared = new Set(plan.ensembles.flatMap(({ cells }) => cells));
  const closed = plan.cells.flatMap((cell, place) => shared.has(place) || cell.label !== AA ? [{ cell, place }] : []);
  const values = [CLOSED_LOOP, ...inOrder(rates)];
  const after = roundsAfterRates(axis);
  const placeOf = (before: number) => values.length * closed.findIndex(({ place }) => place === before);
  const { together_first: _, like: __, alone_rounds: alone, ...rest } = plan;
  return readablePlan(suite, {
    ...rest,
    axes: await planAxes(suite, { ...valuesOf(suite, closed.map(({ cell }) => cell.point.at)), [RATE]: values }),
    cells: closed.flatMap(({ cell }) => values.map((rate): Cell => atRateOf(cell, rate))),
    solo: closed.flatMap(({ cell, place }) => {
      const rounds = cell.label === AA ? 0 : after + (shared.has(place) ? 0 : plan.rounds);
      return rounds === 0 ? [] : [{ cell: placeOf(place), rounds }];
    }),
    ensembles: plan.ensembles.map((one) => ({ ...one, cells: one.cells.map(placeOf), rounds: plan.rounds })),
    ...(shared.size === 0 ? { alone_rounds: alone } : { alone_rounds: plan.rounds, together_first: true }),
    ...{ ceilings: [], expectations: [], rounds: plan.rounds + after, further: axis },
  });
}

/**
 * Returns the least rounds that can decide cells which always differ, if all pairs of a plan are compared at all rates.
 */
export function roundsToTellApart(plan: Plan, rates: number): number {
  const pairs = plan.ensembles.flatMap((one) => comparedPairs(plan, one));
  return leastForMedianInterval(familyLevel(rates * pairs.length).levelEach);
}

/** Rounds after those that are needed, made only where other processes voided one: each that is lost takes a verdict. */
export const SPARE_AT_RATES = 2;

/** Returns a quick plan with enough rounds to separate cells at so many rates, and without A/A pairs. */
export function quickAlongRates(plan: Plan, rates: number): Plan {
  const rounds = roundsToTellApart(plan, rates);
  const isOwn = (place: number) => plan.cells[place]!.label !== AA;
  return {
    ...plan,
    rounds,
    spare_rounds: SPARE_AT_RATES,
    solo: plan.solo.map((one) => ({ ...one, rounds })),
    ensembles: plan.ensembles.map((one) => ({ ...one, cells: one.cells.filter(isOwn) })),
  };
}

/** Shares of the capacity, then requests per second, each once and in ascending order. */
function inOrder(rates: readonly Value[]): Value[] {
  const place = (rate: Value) => typeof rate === "number" ? [1, rate] : [0, Number.parseFloat(rate)];
  return [...new Set(rates)].sort((a, b) => place(a)[0]! - place(b)[0]! || place(a)[1]! - place(b)[1]!);
}
