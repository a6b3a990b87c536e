/** Looks at the verdicts of one run, which share its error. */
import type { Plan } from "../record/plan.ts";
import { MOST_SETTLES } from "../record/ranges.ts";

/** Looks at the verdicts of a run that nobody settles: its only one, or those that its plan names. */
export const plannedLooks = ({ timed }: Pick<Plan, "timed">): number => timed?.looks?.length ?? 1;

/** The same once it was settled: one more after each settle there may be. */
export const looksWithSettles = (plan: Pick<Plan, "timed">): number => plannedLooks(plan) + MOST_SETTLES;
