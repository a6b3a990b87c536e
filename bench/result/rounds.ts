import { cellKey } from "../record/cell.ts";
import { judgedCells } from "../plan/judged-cells.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { scheduleOf, stepName } from "../plan/schedule.ts";
import { median } from "../statistics/median.ts";
import type { Observation } from "../record/observation-record.ts";

/**
 * How many rounds of a plan are made of all that its questions are about, and what one takes of a run that measures this
 * again, and all of it in each round, as a run does whose rounds are given by hand.
 */
export function madeRounds(
  plan: Plan,
  journal: readonly Observation[],
): { readonly rounds: number; readonly roundMs: number | null } {
  const made = new Set(journal.map(({ index }) => index));
  const steps = scheduleOf(plan);
  const judged = new Set(judgedCells(plan).map(cellKey));
  const isJudged = ({ kind, cells }: PlannedObservation) =>
    kind === "ceiling" || cells.some((cell) => judged.has(cellKey(cell)));
  const rounds = Map.groupBy(steps.filter(isJudged), ({ round }) => round);
  let complete = 0;
  while (rounds.get(complete)?.every(({ index }) => made.has(index))) complete++;
  return { rounds: complete, roundMs: complete === 0 ? null : againMs(steps, rounds.get(0)!, journal) };
}

/** Milliseconds of the steps of a first round, each by the median of those like it. */
function againMs(
  steps: readonly PlannedObservation[],
  first: readonly PlannedObservation[],
  journal: readonly Observation[],
): number {
  const nameOf = (step: PlannedObservation) => `${stepName(step)} ${step.alone}`;
  const alike = Map.groupBy(journal.filter(({ index }) => index < steps.length), ({ index }) => nameOf(steps[index]!));
  return first.reduce((sum, step) => sum + median(alike.get(nameOf(step))!.map(({ wall_ms }) => wall_ms)), 0);
}
