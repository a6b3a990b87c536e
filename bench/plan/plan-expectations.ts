import type { At, Point, Suite } from "../../suites/suite.ts";
import { matches } from "../record/cell.ts";
import type { PlanExpectation } from "../record/plan.ts";

/** The suite's expectations that speak of cells of the plan, of both sides where there are two. */
export function expectationsFor({ expectations = [] }: Suite, points: readonly Point[]): PlanExpectation[] {
  const measured = (at: At) => points.filter((point) => matches(point.at, at));
  const valuesOn = (axis: string, at: At) => new Set(measured(at).map((point) => point.at[axis]));
  const touching = expectations.filter((expectation) => {
    switch (expectation.kind) {
      case "ratio":
        return measured(expectation.over).length > 0 && measured(expectation.under).length > 0;
      case "scaling":
        return valuesOn(expectation.axis, expectation.at).size > 1;
      case "steps":
        return expectation.values.some((value) => valuesOn(expectation.axis, expectation.at ?? {}).has(value));
      default:
        return measured(expectation.at).length > 0;
    }
  });
  return structuredClone(touching) as PlanExpectation[];
}
