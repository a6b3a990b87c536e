import type { RequestPlan } from "../../suites/suite.ts";
import { DRAWN, type GeneratorAxis, generatorWindows, linesOfCell } from "../plan/generator-windows.ts";
import { nextRateWindow, type RateAxis } from "../plan/rate-windows.ts";
import { oneRequest } from "../generators/drawn-requests.ts";
import { GENERATORS } from "../generators/registry.ts";
import { atRate } from "../judge/open-loop.ts";
import type { ContrastRow } from "../record/contrast-rows.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { capacityIn } from "../result/latency/rates-of-cell.ts";
import { inspectGenerator } from "./inspect-generator.ts";
import type { Equipment, NextWindow, PlannedWindow, Site, Tool } from "./site.ts";

/** What makes the further windows of a plan: generators by their names, and whether they may share the servers' core. */
export interface FurtherTools {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly places: readonly ContrastRow["place"][];
}

/** Finds the load generators that a plan's further windows take. Throws a failure where one is not there any more. */
export async function furtherTools({ further }: Pick<Plan, "further">, equipment: Equipment): Promise<FurtherTools> {
  if (further === undefined) return { tools: new Map(), places: [] };
  const { wrk, hosts } = equipment;
  const isRate = further.axis === "rate";
  const names = isRate ? [further.generator] : further.generators.filter((name) => name !== "wrk");
  const tools = await Promise.all(
    names.map(async (name) => [name, await inspectGenerator(GENERATORS[name]!, hosts.load)] as const),
  );
  const places = !isRate && await sharesCores(equipment) ? ["apart", "one-core"] as const : ["apart"] as const;
  return { tools: new Map([...tools, ["wrk", wrk]]), places };
}

/** Whether the load's side may run on the servers' cores: it may not on another machine, or where it is bound to others. */
async function sharesCores({ hosts, placement: { serverCpus } }: Equipment): Promise<boolean> {
  if (hosts.apart || serverCpus === null) return false;
  const { topology: { cpus } } = await hosts.load.facts();
  return cpus !== null && serverCpus.every((cpu) => cpus.some(({ id }) => id === cpu));
}

/**
 * The windows that follow the first of an observation of one cell, along the plan's further axis. Nothing for others.
 *
 * @param lines what the run has measured so far
 */
export function furtherWindows(
  step: PlannedObservation,
  plan: Plan,
  site: Site,
  found: FurtherTools,
  lines: readonly Observation[],
): Pick<Site, "nextWindow"> {
  const { further } = plan;
  if (step.kind !== "solo" || further === undefined) return {};
  const requests = site.suite.requests(step.cells[0]!.point);
  return {
    nextWindow: further.axis === "rate"
      ? alongRates(step, plan, further, requests, found, lines)
      : alongGenerators(step, plan, further, site, requests, found),
  };
}

function alongRates(
  step: PlannedObservation,
  plan: Plan,
  axis: RateAxis,
  requests: RequestPlan,
  { tools }: FurtherTools,
  lines: readonly Observation[],
): NextWindow {
  const capacity = capacityIn(plan, axis, linesOfCell(lines, step.cells[0]!));
  const open = tools.get(axis.generator)!;
  return ({ load }, windows) => {
    if (load === null) return null;
    const next = nextRateWindow(plan, axis, step, { closedRate: load.requests_per_second, capacity, windows });
    if (next === null) return null;
    const [tool, pace] = "connections" in next.pace
      ? [tools.get("wrk")!, { closed: next.pace.connections }] as const
      : [open, atRate(requests, next.pace.perSecond, open.generator.abilities.perConnection)] as const;
    return { at: next.at, tool, requests: { ...requests, pace }, durationMs: plan.duration_ms };
  };
}

/** Each generator in each place with the same one request, and wrk with those of the cell. */
function alongGenerators(
  step: PlannedObservation,
  plan: Plan,
  axis: GeneratorAxis,
  site: Site,
  drawn: RequestPlan,
  { tools, places }: FurtherTools,
): NextWindow {
  const one = oneRequest(site.suite, drawn, plan.seed);
  const windows = generatorWindows(axis, places, step).map((at): PlannedWindow => ({
    at,
    tool: tools.get(String(at["generator"]))!,
    requests: at["requests"] === DRAWN.requests ? drawn : one,
    durationMs: plan.duration_ms,
    ...(at["place"] === "apart" ? {} : { loadCpus: site.placement.serverCpus }),
  }));
  return (_measured, made) => windows[made.length] ?? null;
}
