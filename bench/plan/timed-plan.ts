import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { firstAllotment } from "./allotment.ts";
import { expectedMs } from "./pace.ts";
import { isInAll, scheduleOf } from "./schedule.ts";

/** The most rounds of a plan with a time: more hardly narrow an interval, and longer windows do. */
const MOST_ROUNDS = 12;

/** Rounds after which verdicts are looked at. Each look has an equal part of the error: see {@link thresholds}. */
const LOOKS = [3, 6, 12];

/** Rounds from which an early look is worth the wider intervals of several. */
const MANY_ROUNDS = 8;

/** A time for a plan, and what of its rounds and windows was chosen by hand. */
export interface TimeBudget {
  readonly ms: number;
  readonly rounds?: number | undefined;
  readonly windowMs?: number | undefined;
}

/**
 * Returns a plan whose rounds and windows evidence spreads over a time. Unchanged if it measures nothing together: cells
 * alone have fixed rounds.
 */
export function timedPlan(plan: Plan, { ms, rounds, windowMs }: TimeBudget): Plan {
  if (plan.ensembles.length === 0 || plan.further !== undefined) return plan;
  const least = rounds ?? thresholds.leastRounds.value;
  const timed = {
    ms,
    most_rounds: rounds ?? MOST_ROUNDS,
    ...(windowMs === undefined ? {} : { window_ms: windowMs }),
  };
  const planned: Plan = {
    ...plan,
    rounds: least,
    solo: plan.solo.map((one) => isInAll(plan, one) ? { ...one, rounds: least } : one),
    ensembles: plan.ensembles.map((one) => ({ ...one, rounds: least })),
  };
  const looked = { ...timed, looks: LOOKS };
  const times = roundTimes(planned);
  const hasLooks = rounds === undefined && firstAllotment(planned, looked, times).rounds >= MANY_ROUNDS;
  const chosen = hasLooks ? looked : timed;
  return { ...planned, timed: chosen, ensemble_ms: windowMs ?? firstAllotment(planned, chosen, times).countedMs };
}

/** Expected time of the parts that every round has, and of everything else that is measured alone. */
function roundTimes(plan: Plan) {
  const steps = scheduleOf(plan);
  const sum = (some: typeof steps) => some.reduce((total, step) => total + expectedMs(plan, step), 0);
  const inAll = new Set(plan.solo.filter((one) => isInAll(plan, one)).map(({ cell }) => plan.cells[cell]!));
  const ofRound = steps.filter(({ kind, round, cells: [cell] }) =>
    round === 0 && (kind === "ensemble" || kind === "solo" && inAll.has(cell!))
  );
  const roundMs = sum(ofRound.map((step) => step.kind === "solo" ? step : { ...step, alone: false }));
  return { roundMs, aloneMs: sum(steps.filter(({ round }) => round < plan.rounds)) - plan.rounds * roundMs };
}
