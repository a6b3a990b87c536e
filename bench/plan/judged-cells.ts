import type { Cell } from "../record/cell-schema.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";

/** In how many rounds a plan has a cell, by its place. */
export function plannedRounds({ solo, ensembles }: Plan, place: number): number {
  return Math.max(
    0,
    ...solo.filter(({ cell }) => cell === place).map(({ rounds }) => rounds),
    ...ensembles.filter(({ cells }) => cells.includes(place)).map(({ rounds }) => rounds),
  );
}

/** The cells a plan's questions are about: those it has in enough rounds for verdicts; all of them where it has none. */
export function judgedCells(plan: Plan): Cell[] {
  const judged = plan.cells.filter((_, place) => plannedRounds(plan, place) >= thresholds.leastRounds.value);
  return judged.length > 0 ? judged : plan.cells;
}
