import type { Point, Suite } from "../../suites/suite.ts";
import { counted } from "../basics/units.ts";
import { AA } from "../record/cell.ts";
import type { Plan } from "../record/plan.ts";
import { connectionsOf } from "./plan-parts.ts";
import { askSuite, requestsAt } from "./points.ts";
import { workersOf } from "./workers.ts";

/** Returns the reason for which all cells of a plan are measured alone, if its suite has one for the first two; else null. */
export function whyAlone(suite: Suite, { cells, ensembles }: Pick<Plan, "cells" | "ensembles">): string | null {
  const [first, second] = cells.filter(({ label }) => label !== AA);
  return ensembles.length > 0 || second === undefined ? null : whyNotTogether(suite, first!.point, second.point);
}

/**
 * Returns the reasons for which some cells of a plan are measured alone while others are measured together, each with the
 * points of its cells.
 */
export function whySomeAlone(suite: Suite, { cells, solo, ensembles }: Pick<Plan, "cells" | "solo" | "ensembles">) {
  const alone = ensembles.length === 0 ? [] : solo.map(({ cell }) => cells[cell]!).filter(({ label }) => label !== AA);
  const apart = alone.flatMap(({ point }) => {
    const reason = whyNotTogether(suite, point, point);
    return reason === null ? [] : [{ point, reason }];
  });
  return [...Map.groupBy(apart, ({ reason }) => reason)].map(([reason, of]) => ({
    reason,
    points: of.map(({ point }) => point),
  }));
}

/** Returns the reason for which two points cannot share a core at the same time; null if they can. */
export function whyNotTogether(suite: Suite, a: Point, b: Point): string | null {
  const answer = askSuite(suite, a, "together", () => suite.together?.([a, b]) ?? true);
  if (answer !== true) return answer;
  if (workersOf(a.at) !== workersOf(b.at)) {
    return `one has ${counted(workersOf(a.at), "worker")}, the other ${workersOf(b.at)}`;
  }
  const [first, second] = [a, b].map((point) => connectionsOf(requestsAt(suite, point)));
  return first === second ? null : `one load has ${counted(first!, "connection")}, the other ${second}`;
}
