import { claimFaults, contentionFaults } from "../judge/contention.ts";
import { faultsOf } from "../judge/judge-load.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { affinityFault, sum } from "./findings.ts";
import { togetherRule } from "./check-and-warm.ts";
import { type MeasuredLoad, measureLoad } from "./measure-load.ts";
import { measureTogether } from "./measure-together.ts";
import { explained, loadPlanOf, loadShape, loadSiteOf, noteSent, type Running } from "./running.ts";
import type { Site } from "./site.ts";

/** One measured load (of several servers: after they have settled in it), what it counted as it is judged, and what is wrong with it. */
export async function loadOnce(
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  durationMs: number,
  seed: number,
) {
  const { connections } = loadShape(running, site);
  const { pace } = running[0]!.requests;
  const plan = { ...loadPlanOf(running, site, seed), durationMs: expectedMs(running, site, durationMs) };
  const on = loadSiteOf(running, site);
  const measured = running.length === 1
    ? await measureLoad(plan, connections, on)
    : await measureTogether(plan, togetherRule(site, running.length, on.inTurns !== undefined), on);
  if ("failed" in measured) throw await explained(running, { code: "generator-failed", message: measured.failed });
  noteSent(running, measured.result, connections);
  const { result, counters, generatorThreadCpus } = measured;
  const counted = {
    ...result,
    connections: connections * running.length,
    ...("closed" in pace ? {} : { offeredPerSecond: pace.perSecond }),
    // A server that does nothing answers everything alike, also what it should have refused.
    errorsDue: step.kind === "ceiling" ? 0 : sum(result.threads.map(({ errorsDue }) => errorsDue)),
    errorsAllowed: sum(result.threads.map(({ errorsAllowed }) => errorsAllowed)),
  };
  const faults = [...faultsOf(counted), ...claimFaultsOf(measured)];
  if (step.kind !== "ceiling") faults.push(...contentionFaults(counters));
  const astray = affinityFault("generator", generatorThreadCpus, site.placement.loadCpus);
  if (astray !== undefined) faults.push(astray);
  return { measured, counted, faults };
}

/**
 * How long a window will be. One of a number of requests takes as long as they take: by what the warm-up reached, of which a
 * warm server has more, so that the moments to look at it fall inside.
 */
function expectedMs([first]: readonly Running[], { plan }: Site, durationMs: number): number {
  const warmup = first!.member.warmup;
  if (plan.requests === undefined || warmup === null || warmup.requests === 0) return durationMs;
  return Math.max(100, 0.6 * plan.requests * warmup.duration_us / warmup.requests / 1e3);
}

const claimFaultsOf = ({ result, counters }: MeasuredLoad) =>
  claimFaults({
    requests: result.requests,
    reply_bytes: result.bytes,
    server_cpu_ns: counters.server_cpu_ns,
    loopback_bytes: counters.loopback_bytes,
  });
