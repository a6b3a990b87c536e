import { linesOfCell } from "../../plan/cell-windows.ts";
import { DRAWN, generatorAt } from "../../plan/generator-windows.ts";
import type { Contrast } from "../../record/contrast-rows.ts";
import type { Observation } from "../../record/observation-record.ts";
import type { Plan } from "../../record/plan.ts";
import { medianOfKnown } from "../../statistics/median.ts";
import { contrastRows, ratios } from "./rows.ts";

/** What the lines of a plan with the axis `generator` say of each cell; undefined for any other plan. */
export function contrastsOf(
  plan: Plan,
  lines: readonly Observation[],
  nameOf: (place: number) => string,
): Contrast[] | undefined {
  const { further } = plan;
  if (further?.axis !== "generator") return undefined;
  return plan.cells.map((cell, place) => {
    const own = linesOfCell(lines, cell);
    return {
      name: nameOf(place),
      rows: contrastRows(own, further.generators),
      drawn_over_one: medianOfKnown(ratios(own, DRAWN, generatorAt("wrk", "apart"))),
    };
  });
}
