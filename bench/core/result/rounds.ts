import { type Plan, scheduleOf } from "../plan.ts";
import { median } from "../statistics/median.ts";
import type { Observation } from "./observation-record.ts";

/** How many rounds of a plan are made in full, and what one more of its ensembles takes. */
export function madeRounds(
  plan: Plan,
  journal: readonly Observation[],
): { readonly rounds: number; readonly roundMs: number | null } {
  const made = new Set(journal.map(({ index }) => index));
  const rounds = Map.groupBy(scheduleOf(plan), ({ round }) => round);
  let complete = 0;
  while (rounds.get(complete)?.every(({ index }) => made.has(index))) complete++;
  const spent = [...Map.groupBy(journal, ({ round }) => round)].filter(([round]) => round < complete)
    .map(([_, lines]) => lines.reduce((sum, { wall_ms }) => sum + wall_ms, 0));
  return { rounds: complete, roundMs: spent.length === 0 ? null : median(spent) };
}
