import { linesOfCell, standsAt } from "../../core/cell-windows.ts";
import { nextRateWindow } from "../../core/rate-windows.ts";
import type { Observation, Window } from "../../record/observation-record.ts";
import type { PlannedObservation } from "../../record/plan.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { DRAWN, generatorAt } from "../contrast/rows.ts";
import { capacityIn } from "../latency/latency-of.ts";

/**
 * What of the windows along a plan's further axis is not what the plan and the lines before call for: one that is missing,
 * another one, or one in another place.
 *
 * @param steps the plan's, by their index
 */
export function windowsFaults(
  { plan }: Pick<RunRecord, "plan">,
  steps: readonly Pick<PlannedObservation, "round" | "draw_seed">[],
  lines: readonly Observation[],
): string[] {
  const { further } = plan;
  if (further === undefined) return [];
  return lines.flatMap((line, n) => {
    const { load, windows = [] } = line;
    const step = steps[line.index];
    if (line.kind !== "solo" || line.status !== "ok" || load === null || step === undefined) return [];
    const told = (what: string) => `step ${line.index}: ${what}`;
    if (further.axis === "generator") {
      const due = [DRAWN, ...further.generators.map((name) => generatorAt(name, "apart"))];
      const lacks = due.some((at) => !windows.some(standsAt(at)));
      return lacks ? [told("a window of a load generator is missing")] : [];
    }
    const capacity = capacityIn(plan, linesOfCell(lines.slice(0, n), line.members[0]!.cell));
    const nextAfter = (made: readonly Window[]) =>
      nextRateWindow(plan, further, step, { closedRate: load.requests_per_second, capacity, windows: made });
    for (const [place, window] of windows.entries()) {
      const next = nextAfter(windows.slice(0, place));
      const pace = next === null || "connections" in next.pace ? null : next.pace.perSecond;
      if (next === null || !standsAt(next.at)(window) || window.per_second !== pace) {
        return [told(`window ${place + 1} is not the one that follows from what was measured before`)];
      }
    }
    return nextAfter(windows) === null ? [] : [told("a window along the rates is missing")];
  });
}
