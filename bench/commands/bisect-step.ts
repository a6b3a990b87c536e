import type { Args } from "../options/args.ts";
import { GATE_PROFILE, MOST_SPARE, QUICK_GATE_PROFILE, SPARE_PER_ROUND } from "../plan/profile.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import type { FinishedRun } from "../observe/conduct-run.ts";
import type { Plan } from "../record/plan.ts";
import { makeDuetPlan } from "../plan/make-plan.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import { suiteSource } from "../apps/app-source.ts";
import { planChoicesFrom } from "../options/plan-of.ts";
import { settle } from "../options/settle.ts";
import type { ReadyVersions } from "./bisect-versions.ts";

/** Window of a server with `--quick`, in milliseconds. */
const QUICK_MS = 1_000;

/** The plan of one step: versions on one core, so many times the rounds of a first try. */
export async function planOfStep(
  args: Args,
  { module, named }: LoadedSuite,
  { suite, own, points }: ReadyVersions,
  times: number,
): Promise<Plan> {
  const profile = args.has("quick") ? { ...QUICK_GATE_PROFILE, ensembleMs: QUICK_MS } : GATE_PROFILE;
  const rounds = times * (args.get("rounds") ?? profile.rounds);
  const settled = settle(suite, {
    profile: { ...profile, name: "bisect" },
    given: { rounds, warmupMs: args.get("warmup") },
    ...planChoicesFrom(args),
  });
  return await makeDuetPlan(suite, {
    ...settled,
    ...{ values: valuesOf(suite, points), aloneRounds: 0, profile: "bisect" },
    module,
    source: named ? suiteSource(module, process.cwd()) : undefined,
    own,
    spareRounds: Math.min(MOST_SPARE, SPARE_PER_ROUND * settled.rounds),
  }, points);
}

/** What a run says of every two of its versions, by their names here. */
export function stepComparisons({ summary }: FinishedRun, { points }: ReadyVersions, names: readonly string[]) {
  const keys = points.map((at) => JSON.stringify(Object.entries(at).sort()));
  const nameOf = new Map(summary.cells.map(({ name, cell }) => {
    return [name, names[keys.indexOf(JSON.stringify(Object.entries(cell.point.at).sort()))]!];
  }));
  return summary.families.filter(({ kind }) => kind === "pair").flatMap(({ comparisons }) =>
    comparisons.map((one) => ({ ...one, over: nameOf.get(one.over)!, under: nameOf.get(one.under)! }))
  );
}
