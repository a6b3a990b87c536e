/** Points of runs that have not the same axes. */
import type { PlanAxis } from "../record/cell-schema.ts";
import { ALL_ROUTES, CLOSED_LOOP, pointKey, PROTOCOL_AXIS, PROTOCOLS, RATE, ROUTE } from "../record/cell.ts";
import type { At, Value } from "../../suites/suite.ts";

interface PointsOfRun {
  readonly run: { readonly plan: { readonly axes: readonly PlanAxis[]; readonly suite: { readonly name: string } } };
}

/** Text that is equal exactly for points that several runs may share. */
export type PointKey = (point: { readonly suite: string; readonly at: At }) => string;

/** Returns the key of points over several runs; a point that lacks an axis has its default, as those of older runs. */
export function pointKeyOver(runs: readonly PointsOfRun[]): PointKey {
  const defaults = new Map<string, Record<string, Value>>();
  for (const { run: { plan } } of runs) {
    const known = defaults.get(plan.suite.name) ?? {};
    for (const axis of plan.axes) {
      // Plans of earlier versions name a default only where all cells have it.
      const only = !axis.shown && axis.values.length === 1 ? axis.values[0]!.value : undefined;
      const value = axis.default ?? OF_EXTRA_AXES[axis.name] ?? only;
      if (value !== undefined) known[axis.name] ??= value;
    }
    defaults.set(plan.suite.name, known);
  }
  return ({ suite, at }) => pointKey({ suite, at: { ...defaults.get(suite), ...at } });
}

/** Defaults of the axes that a plan has only if they were requested. */
const OF_EXTRA_AXES: Readonly<Record<string, Value>> = {
  [PROTOCOL_AXIS]: PROTOCOLS[0],
  [RATE]: CLOSED_LOOP,
  [ROUTE]: ALL_ROUTES,
};
