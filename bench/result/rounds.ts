import { cellKey } from "../record/cell.ts";
import { judgedCells } from "../core/judged-cells.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { scheduleOf, stepName } from "../core/schedule.ts";
import { median } from "../statistics/median.ts";
import type { Observation } from "../record/observation-record.ts";

/**
 * How many rounds of a plan are made in full, and what one of a run takes that measures again what its questions are about,
 * and all of it in each round, as a run does whose rounds are given by hand.
 */
export function madeRounds(
  plan: Plan,
  journal: readonly Observation[],
): { readonly rounds: number; readonly roundMs: number | null } {
  const made = new Set(journal.map(({ index }) => index));
  const steps = scheduleOf(plan);
  const rounds = Map.groupBy(steps, ({ round }) => round);
  let complete = 0;
  while (rounds.get(complete)?.every(({ index }) => made.has(index))) complete++;
  return { rounds: complete, roundMs: complete === 0 ? null : againMs(plan, steps, journal) };
}

/** Milliseconds of the first round's steps that measure a judged cell, each by the median of those like it. */
function againMs(plan: Plan, steps: readonly PlannedObservation[], journal: readonly Observation[]): number {
  const judged = new Set(judgedCells(plan).map(cellKey));
  const nameOf = (step: PlannedObservation) => `${stepName(step)} ${step.alone}`;
  const alike = Map.groupBy(journal.filter(({ index }) => index < steps.length), ({ index }) => nameOf(steps[index]!));
  return steps
    .filter(({ round, kind, cells }) =>
      round === 0 && (kind === "ceiling" || cells.some((cell) => judged.has(cellKey(cell))))
    )
    .reduce((sum, step) => sum + median(alike.get(nameOf(step))!.map(({ wall_ms }) => wall_ms)), 0);
}
