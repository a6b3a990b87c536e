import { SETTLE_MS } from "../plan/lengths.ts";
import { connectionsOf } from "../plan/plan-parts.ts";
import type { PlannedObservation } from "../record/plan.ts";
import type { Window } from "../record/observation-record.ts";
import { NO_LOAD } from "../judge/lines.ts";
import { judgeLoad, windowKind } from "../judge/judge-load.ts";
import { loadOnce } from "./load-once.ts";
import {
  loadPlanOf,
  loadSiteOf,
  noteSent,
  type Running,
  seedOf,
  timeoutOf,
  untilQueueIsEmpty,
  warmingOf,
} from "./running.ts";
import { Stopped } from "./stopped.ts";
import type { Servers } from "./servers.ts";
import type { ClosedLoops, NextWindow, PlannedWindow, Site } from "./site.ts";
import { warmUp } from "./watched-load.ts";

/** The most windows of an observation: a search with more does not end. */
const MOST_WINDOWS = 200;

/**
 * Measures further windows on warm servers, each with its generator and pace, as long as there is a next one.
 * wrk keeps a server warm before each of its windows, while the others are stopped. A window that fails says so and the next
 * one follows. One of several servers that does not answer any more is left out; the only one ends the windows, and what was
 * measured until then is given with why.
 */
export async function measureWindows(
  servers: Servers,
  step: PlannedObservation,
  site: Site,
  measured: ClosedLoops,
  nextWindow: NextWindow,
): Promise<{ readonly windows: Window[]; readonly stopped: Stopped | null }> {
  const windows: Window[] = [];
  try {
    for (let made = 0; made < MOST_WINDOWS; made++) {
      const next = nextWindow(measured, windows, made);
      if (next === null) break;
      const member = measured.members[next.member ?? 0];
      const each = servers.running().find((one) => one.member === member);
      if (each === undefined) continue;
      for (const one of servers.running()) await one.server.process?.kill(one === each ? "SIGCONT" : "SIGSTOP");
      await servers.orLeftOut(each.member, async () => {
        await keepWarm(each, step, site, made);
        windows.push(await measureWindow(each, step, site, next, made));
        await untilQueueIsEmpty(each, site, timeoutOf([each], site));
      });
    }
    return { windows, stopped: null };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { windows, stopped: error };
  } finally {
    for (const { server } of servers.running()) await server.process?.kill("SIGCONT");
  }
}

async function keepWarm(each: Running, step: PlannedObservation, site: Site, n: number): Promise<void> {
  const by = warmingOf([each], site);
  const rule = { least: "nothing", until: "time", leastMs: SETTLE_MS, mostMs: SETTLE_MS + 1_000 } as const;
  const load = loadPlanOf(by.running, by.site, seedOf(step, 100 + n));
  const warmed = await warmUp(load, rule, loadSiteOf(by.running, by.site));
  if (!("failed" in warmed)) noteSent([each], load, warmed.result);
}

async function measureWindow(
  each: Running,
  step: PlannedObservation,
  site: Site,
  { at, tool, requests, durationMs, member }: PlannedWindow,
  n: number,
): Promise<Window> {
  const { pace } = requests;
  const head = {
    at,
    ...(member === undefined ? {} : { member }),
    generator: { name: tool.generator.name, version: tool.generatorVersion },
    per_second: "closed" in pace ? null : pace.perSecond,
    connections: connectionsOf(requests),
  };
  const atRate: Site = { ...site, tool };
  const target: Running = { ...each, requests };
  try {
    const { loaded } = await loadOnce([target], atRate, durationMs, seedOf(step, 200 + n));
    return {
      ...head,
      ...loaded,
      marks: judgeLoad(loaded, {
        whose: windowKind({ at }),
        members: [each.member],
        given: site.placement,
      }),
    };
  } catch (error) {
    // A failed generator is the window's fault alone; anything else ends the observation.
    if (!(error instanceof Stopped) || error.marks.some(({ code }) => code !== "generator-failed")) throw error;
    return {
      ...head,
      ...NO_LOAD,
      marks: [...error.marks],
    };
  }
}
