import type { RequestPlan } from "../../suites/suite.ts";
import { DRAWN, type GeneratorAxis, generatorWindows, pacePerSecond } from "../plan/generator-windows.ts";
import { closedLoopsOf } from "../judge/lines.ts";
import {
  capacityIn,
  nextRateWindow,
  type RateAxis,
  type RateWindow,
  rateWindowMs,
  windowsByTurns,
} from "../plan/rate-windows.ts";
import { oneRequest } from "../generators/drawn-requests.ts";
import { MEASURING } from "../generators/registry.ts";
import { atRate } from "../judge/open-loop.ts";
import type { ContrastRow } from "../record/contrast-rows.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { inspectGenerator } from "./equip.ts";
import type { Equipment, NextWindow, PlannedWindow, Site, Tool } from "./site.ts";

/** The load generators of a plan's extra windows by name, and their possible places. */
interface ExtraTools {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly places: readonly ContrastRow["place"][];
}

/** Finds the load generators of a plan's extra windows. Throws a failure if one of them is missing. */
export async function extraTools({ further }: Pick<Plan, "further">, equipment: Equipment): Promise<ExtraTools> {
  if (further === undefined) return { tools: new Map(), places: [] };
  const { wrk, hosts } = equipment;
  const isRate = further.axis === "rate";
  const names = isRate ? [further.generator] : further.generators.filter((name) => name !== "wrk");
  const tools = await Promise.all(
    names.map(async (name) => [name, await inspectGenerator(MEASURING[name]!, hosts.load)] as const),
  );
  const places = !isRate && await sharesCores(equipment) ? ["apart", "one-core"] as const : ["apart"] as const;
  return { tools: new Map([...tools, ["wrk", wrk]]), places };
}

/** Returns true if the load may run on the servers' cores: not from another machine, nor if pinned elsewhere. */
async function sharesCores({ hosts, placement: { serverCpus } }: Equipment): Promise<boolean> {
  if (hosts.apart || serverCpus === null) return false;
  const { topology: { cpus } } = await hosts.load.facts();
  return cpus !== null && serverCpus.every((cpu) => cpus.some(({ id }) => id === cpu));
}

/**
 * Returns the windows that follow the closed loops of an observation along the plan's further axis; none for ceilings.
 *
 * @param lines the observations the run has made so far
 */
export function extraWindows(
  step: PlannedObservation,
  plan: Plan,
  site: Site,
  found: ExtraTools,
  lines: readonly Observation[],
): Pick<Site, "nextWindow"> {
  const { further } = plan;
  if (step.kind === "ceiling" || further === undefined) return {};
  const of: Windowed = { step, plan, requestsOf: (cell) => site.suite.requests(step.cells[cell]!.point), found };
  return {
    nextWindow: further.axis === "rate" ? alongRates(further, of, lines) : alongGenerators(further, of, site),
  };
}

interface Windowed {
  readonly step: PlannedObservation;
  readonly plan: Plan;
  /** Returns the requests of one of its cells, by their places. */
  readonly requestsOf: (cell: number) => RequestPlan;
  readonly found: ExtraTools;
}

function alongRates(
  axis: RateAxis,
  { step, plan, requestsOf, found: { tools } }: Windowed,
  lines: readonly Observation[],
): NextWindow {
  const capacity = capacityIn(plan, axis, closedLoopsOf(lines, step.cells[0]!));
  const open = tools.get(axis.generator)!;
  const planned = (next: RateWindow | null): PlannedWindow | null => {
    if (next === null) return null;
    const { perSecond, ...of } = next;
    const requests = requestsOf(next.member ?? 0);
    const pace = atRate(requests, perSecond, {
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

/** Returns a window for each generator at each place with the same one request, and for wrk with those of the cell. */
function alongGenerators(
  axis: GeneratorAxis,
  { step, plan, requestsOf, found: { tools, places } }: Windowed,
  site: Site,
): NextWindow {
  const drawn = requestsOf(0);
  const one = oneRequest(site.suite, drawn, plan.seed);
  const windows = generatorWindows(axis, places, step);
  return ({ load }, made) => {
    const at = windows[made.length];
    if (at === undefined || load === null) return null;
    const tool = tools.get(String(at["generator"]))!;
    const perSecond = pacePerSecond(at, load.requests_per_second);
    const { perConnection: each, queues } = tool.generator.abilities;
    return {
      ...{ at, tool, durationMs: plan.duration_ms },
      requests: at["requests"] === DRAWN.requests
        ? drawn
        : perSecond === undefined
        ? one
        : { ...one, pace: atRate(one, perSecond, { each, queues }) },
      ...(at["place"] === "apart" ? {} : { loadCpus: site.placement.serverCpus }),
    };
  };
}
