/** The rounds a plan may have, and the looks at its verdicts: what a list of runs shows without reading one. */
import { counted } from "../basics/units.ts";
import type { Plan } from "../record/plan.ts";
import { MOST_SETTLES } from "../record/ranges.ts";

/** A plan as far as it says which rounds there may be. */
export type PlanRounds = Pick<Plan, "rounds" | "spare_rounds" | "timed">;

/** The rounds of a plan, without those that replace others: with a time all that it may have. */
export const mostRounds = ({ rounds, timed }: PlanRounds): number => Math.max(rounds, timed?.most_rounds ?? 0);

/** The rounds of a plan in words: `4 rounds`, or `3 to 12 rounds` where its time decides. */
export const roundsText = (plan: PlanRounds): string =>
  `${mostRounds(plan) === plan.rounds ? "" : `${plan.rounds} to `}${counted(mostRounds(plan), "round")}`;

/** Looks at the verdicts of a run that was not settled: one, or those that its plan names. */
export const plannedLooks = ({ timed }: Pick<Plan, "timed">): number => timed?.looks?.length ?? 1;

/** The most looks at a run's verdicts: the planned ones, and one after each settle. */
export const looksWithSettles = (plan: Pick<Plan, "timed">): number => plannedLooks(plan) + MOST_SETTLES;
