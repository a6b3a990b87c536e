import type { RequestPlan } from "../../suites/suite.ts";
import { closedLoopsOf } from "../judge/lines.ts";
import {
  capacityIn,
  nextRateWindow,
  type RateAxis,
  type RateWindow,
  rateWindowMs,
  windowsByTurns,
} from "../plan/rate-windows.ts";
import { MEASURING } from "../generators/registry.ts";
import { requestsAtRate } from "../judge/open-loop.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { inspectGenerator } from "./equip.ts";
import type { Equipment, NextWindow, PlannedWindow, Site, Tool } from "./site.ts";

/** Finds the load generator of a plan's extra windows; null without any. Throws a failure if it is missing. */
export const extraTool = async ({ further }: Pick<Plan, "further">, { hosts }: Equipment): Promise<Tool | null> =>
  further === undefined ? null : await inspectGenerator(MEASURING[further.generator]!, hosts.load);

/**
 * Returns the windows that follow the closed loops of an observation along the plan's further axis; none for ceilings.
 *
 * @param lines the observations the run has made so far
 */
export function extraWindows(
  step: PlannedObservation,
  plan: Plan,
  site: Site,
  open: Tool | null,
  lines: readonly Observation[],
): Pick<Site, "nextWindow"> {
  const { further } = plan;
  if (step.kind === "ceiling" || further === undefined || open === null) return {};
  const of: Windowed = { step, plan, requestsOf: (cell) => site.suite.requests(step.cells[cell]!.point), open };
  return { nextWindow: alongRates(further, of, lines) };
}

interface Windowed {
  readonly step: PlannedObservation;
  readonly plan: Plan;
  /** Returns the requests of one of its cells, by their places. */
  readonly requestsOf: (cell: number) => RequestPlan;
  readonly open: Tool;
}

function alongRates(
  axis: RateAxis,
  { step, plan, requestsOf, open }: Windowed,
  lines: readonly Observation[],
): NextWindow {
  const capacity = capacityIn(plan, axis, closedLoopsOf(lines, step.cells[0]!));
  const planned = (next: RateWindow | null): PlannedWindow | null => {
    if (next === null) return null;
    const { perSecond, ...of } = next;
    const requests = requestsOf(next.member ?? 0);
    const pace = requestsAtRate(requests, perSecond, {
      each: open.generator.abilities.perConnection,
      queues: open.generator.abilities.queues,
      schedule: axis.schedule,
    });
    return {
      ...of,
      tool: open,
      requests: { ...requests, pace },
      durationMs: rateWindowMs(plan, axis, step.round, perSecond),
    };
  };
  if (step.kind === "ensemble") {
    return (measured, _windows, made) => planned(windowsByTurns(plan, measured, measured.members)[made] ?? null);
  }
  return ({ load }, windows) =>
    load === null
      ? null
      : planned(nextRateWindow(plan, axis, step, { closedRate: load.requests_per_second, capacity, windows }));
}
