import { claimFaults, contentionFaults } from "../core/contention.ts";
import { faultsOf } from "../core/judge-load.ts";
import type { PlannedObservation } from "../core/plan.ts";
import { affinityFault, sum } from "./findings.ts";
import { type MeasuredLoad, measureLoad } from "./measure-load.ts";
import { explained, loadPlanOf, loadShape, loadSiteOf, noteSent, type Running } from "./running.ts";
import type { Site } from "./site.ts";

/** One measured load, what it counted as it is judged, and what is wrong with it. */
export async function loadOnce(
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  durationMs: number,
  seed: number,
) {
  const { connections } = loadShape(running, site);
  const measured = await measureLoad(
    { ...loadPlanOf(running, site, seed), durationMs },
    loadSiteOf(running, site),
  );
  if ("failed" in measured) throw await explained(running, { code: "generator-failed", message: measured.failed });
  noteSent(running, measured.result, connections);
  const { result, counters, generatorThreadCpus } = measured;
  const counted = {
    ...result,
    connections: connections * running.length,
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

const claimFaultsOf = ({ result, counters }: MeasuredLoad) =>
  claimFaults({
    requests: result.requests,
    reply_bytes: result.bytes,
    server_cpu_ns: counters.server_cpu_ns,
    loopback_bytes: counters.loopback_bytes,
  });
