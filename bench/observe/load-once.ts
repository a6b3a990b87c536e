import type { PlannedObservation } from "../record/plan.ts";
import { loadedOf } from "./findings.ts";
import { togetherRule } from "./check-and-warm.ts";
import { measureLoad } from "./measure-load.ts";
import { measureTogether } from "./measure-together.ts";
import { explained, loadPlanOf, loadShape, loadSiteOf, noteSent, type Running } from "./running.ts";
import type { Site } from "./site.ts";
import { mark } from "../record/mark.ts";

/** One measured load, of several servers after they have settled in it, and the same as results keep it. */
export async function loadOnce(
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  durationMs: number,
  seed: number,
) {
  const { connections } = loadShape(running, site);
  const plan = { ...loadPlanOf(running, site, seed), durationMs: expectedMs(running, site, durationMs) };
  const on = loadSiteOf(running, site);
  const measured = running.length === 1
    ? await measureLoad(plan, connections, on)
    : await measureTogether(plan, togetherRule(site, running.length, on.inTurns !== undefined), on);
  if ("failed" in measured) throw await explained(running, mark("generator-failed", measured.failed));
  noteSent(running, measured.result, connections);
  return { measured, loaded: loadedOf(measured, connections, running[0]!.requests, step.kind === "ceiling") };
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
