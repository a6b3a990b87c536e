import { failure } from "../basics/errors.ts";
import type { UsedBetween } from "../why/use-of-window.ts";
import { nowUs } from "../machine/clock.ts";
import { thisMachine } from "../machine/this-machine.ts";
import { judgeLoad } from "../judge/judge-load.ts";
import { mark } from "../record/mark.ts";
import type { PlannedObservation } from "../record/plan.ts";
import type { ServerUse } from "../record/samples.ts";
import { measureLoad } from "./measure-load.ts";
import { loadPlanOf, loadSiteOf, noteSent, type Running, seedOf, stoppedBy } from "./running.ts";
import type { Site } from "./site.ts";
import { Stopped } from "./stopped.ts";

/** One window of load on one server, by the wall's clock in microseconds. */
export interface UsedWindow extends UsedBetween {
  readonly fromUs: number;
  readonly toUs: number;
}

/** Loads one server. Throws {@link Stopped} where that fails. */
export async function loadForUse(
  each: Running,
  site: Site,
  step: PlannedObservation,
  salt: number,
  durationMs: number,
) {
  const plan = { ...loadPlanOf([each], site, seedOf(step, salt)), durationMs };
  const measured = await measureLoad(plan, loadSiteOf([each], site));
  if ("failed" in measured) throw await stoppedBy([each], mark("generator-failed", measured.failed));
  noteSent([each], plan, measured.result);
  return measured;
}

/** Loads one server, and reads its CPU use. Throws {@link Stopped} if it answers nothing. */
export async function usedInWindow(
  each: Running,
  site: Site,
  step: PlannedObservation,
  { salt, windowMs, profiled }: { readonly salt: number; readonly windowMs: number; readonly profiled: boolean },
) {
  const { pid } = each.server;
  const before = readServerUse(pid), fromUs = nowUs();
  const { result, loaded } = await loadForUse(each, site, step, salt, windowMs);
  const toUs = nowUs(), after = readServerUse(pid);
  const { requests, bytes: sentBytes } = result;
  const marks = judgeLoad(loaded, { whose: "window", members: [each.member], given: site.placement });
  if (requests === 0) throw new Stopped(marks);
  const took = { fromUs, toUs, windowMs: (toUs - fromUs) / 1e3 };
  const window: UsedWindow = { before, after, ...took, main: pid!, requests, profiled, sentBytes };
  return { window, marks };
}

/** Returns the use of a process so far. Throws a failure if the system does not report it. */
export function readServerUse(pid: number | null): ServerUse {
  const use = pid === null ? { unreadable: "its process is not known" } : thisMachine().serverUse(pid);
  if ("value" in use) return use.value;
  throw failure(`what the server used cannot be read: ${use.unreadable}`, "bench explain needs Linux and the process");
}
