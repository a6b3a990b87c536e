import type { At, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { MAIN } from "../record/cell.ts";
import type { Plan } from "../record/plan.ts";
import { assemblePlan, type Choices } from "./make-plan.ts";

import { planAxes } from "./plan-parts.ts";
import { askSuite, inOrder, type Values } from "./points.ts";

/** Choices for a plan of cells that continue along an extra axis. */
interface AloneChoices extends Pick<Choices, "module" | "source" | "own" | "seed"> {
  readonly profile: string;
  readonly rounds: number;
  readonly durationMs: number;
}

/**
 * The plan of cells each measured alone, on servers of which each goes on along a further axis. It compares nothing, so it
 * has neither ceilings nor A/A. Throws a usage error for a cell that cannot be.
 */
export async function makeAlonePlan(suite: Suite, choices: AloneChoices, places: readonly At[]): Promise<Plan> {
  const cells = places.map((at) => ({ point: { suite: suite.name, at: { ...at } }, label: MAIN }));
  for (const { point } of cells) {
    const supported = askSuite(suite, point, "supports", () => suite.supports?.(point) ?? true);
    if (supported !== true) throw usageError(`suite "${suite.name}" cannot measure this cell: ${supported}`);
  }
  const { profile, rounds, durationMs, ...rest } = choices;
  const values = valuesOf(suite, places);
  const settled = {
    ...{ values, rounds, aloneRounds: 0, durationMs, ensembleMs: durationMs, oneCondition: false },
    warmup: { kind: "steady" as const, most_ms: THRESHOLDS.warmupMostMs },
    ...{ threads: null, profile, preset: null, generator: "wrk", whyNotSent: () => null },
    ...{ label: MAIN, together: false, like: false },
  };
  const plan = assemblePlan(suite, { ...rest, ...settled }, {
    axes: await planAxes(suite, values),
    cells,
    solo: cells.map((_, cell) => ({ cell, rounds })),
    ensembles: [],
    unsupported: [],
  });
  return { ...plan, ceilings: [], expectations: [] };
}

/** The values of each axis that points have. */
export const valuesOf = (suite: Suite, points: readonly At[]): Values =>
  Object.fromEntries(suite.axes.map((axis) => [axis.name, inOrder(axis, points.map((at) => at[axis.name]!))]));
