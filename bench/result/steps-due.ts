/** The steps that a run still makes: those of its plan, unless a planned look at its verdicts has ended it. */
import { madeRounds } from "../plan/schedule.ts";
import { stepsAhead } from "../plan/spare-rounds.ts";
import type { Comparison } from "../record/comparison.ts";
import type { Observation } from "../record/observation-record.ts";
import type { PlannedObservation } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import { isJudged } from "../record/verdicts.ts";
import { estimateBehind, roundsNeeded } from "../statistics/power.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { answerChanging, lacksRounds } from "./open-comparisons.ts";
import { questionsOf } from "./questions.ts";
import { summaryOf } from "./summary-of.ts";

/** Returns the steps that remain after some lines, in their order. */
export const stepsDue = (
  run: RunRecord,
  lines: readonly Observation[],
  steps: readonly PlannedObservation[],
): PlannedObservation[] => isAnswered(run, lines) ? [] : stepsAhead(run.plan, lines, steps);

/**
 * True if the rounds so far are those of a planned look, and no comparison is open that may change the answer and that the
 * rest of the time would decide if what was seen is true.
 */
export function isAnswered(run: RunRecord, lines: readonly Observation[]): boolean {
  const { plan } = run;
  const { rounds } = madeRounds(plan, lines);
  if (plan.timed?.looks?.includes(rounds) !== true || lines.some(({ round }) => round >= rounds)) return false;
  const { families, cells } = summaryOf(run, lines);
  const spentMs = lines.reduce((sum, { wall_ms }) => sum + wall_ms, 0);
  const reach = rounds * plan.timed.ms / spentMs;
  return !questionsOf(plan, families, cells).flatMap(answerChanging).some((one) => roundsToDecide(one) <= reach);
}

/** Total of rounds that decide an open comparison if the estimate is true; infinite if no number does. */
function roundsToDecide(one: Comparison): number {
  if (!isJudged(one)) return lacksRounds(one) ? 0 : Infinity;
  const estimate = estimateBehind(one);
  if (estimate === null) return Infinity;
  const question = { delta: one.delta, equivalence: thresholds.equivalence.value, alpha: 1 - one.interval.level };
  const needed = roundsNeeded(estimate, question);
  return needed.kind === "reachable" ? needed.rounds : Infinity;
}
