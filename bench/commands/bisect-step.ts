import type { Args } from "../options/args.ts";
import type { BoundSuite } from "../engine/conductor.ts";
import type { FinishedRun } from "../observe/conduct-run.ts";
import type { Plan } from "../record/plan.ts";
import { makeDuetPlan } from "../plan/make-plan.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import { commonOf, planWishFrom } from "../options/plan-of.ts";
import { settle } from "../options/settle.ts";
import { GATE_PROFILE, MOST_SPARE, QUICK_GATE_PROFILE, SPARE_PER_ROUND } from "../plan/profile.ts";

/** Window of a server with `--quick`, in milliseconds. */
const QUICK_MS = 1_000;

/** Plans one step: versions on one core. Repetitions of a step have `times` the rounds of the first. */
export async function planOfStep(args: Args, { suite, origin, cells }: BoundSuite, times: number): Promise<Plan> {
  const profile = args.has("quick") ? { ...QUICK_GATE_PROFILE, ensembleMs: QUICK_MS } : GATE_PROFILE;
  const warmupMs = args.get("warmup");
  const settled = settle(suite, { ...profile, name: "bisect" }, undefined, {
    rounds: times * (args.get("rounds") ?? profile.rounds),
    ...(warmupMs === undefined ? {} : { warmupMs }),
  });
  return await makeDuetPlan(suite, {
    settled: { ...settled, values: valuesOf(suite, cells), aloneRounds: 0, profile: "bisect" },
    ...origin,
    spareRounds: Math.min(MOST_SPARE, SPARE_PER_ROUND * settled.rounds),
    ...commonOf(settled.generator, planWishFrom(args)),
  }, cells);
}

/** The comparisons of a run between every two of its versions, by the names of these. */
export function stepComparisons({ summary }: FinishedRun, { cells }: BoundSuite, names: readonly string[]) {
  const keys = cells.map((at) => JSON.stringify(Object.entries(at).sort()));
  const nameOf = new Map(summary.cells.map(({ name, cell }) => {
    return [name, names[keys.indexOf(JSON.stringify(Object.entries(cell.point.at).sort()))]!];
  }));
  return summary.families.filter(({ kind }) => kind === "pair").flatMap(({ comparisons }) =>
    comparisons.map((one) => ({ ...one, over: nameOf.get(one.over)!, under: nameOf.get(one.under)! }))
  );
}
