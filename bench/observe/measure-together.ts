import { setTimeout as sleep } from "node:timers/promises";
import { RAMP_UP_MS, turnsTakeMs } from "../plan/lengths.ts";
import { valueOf } from "../record/samples.ts";
import type { LoadPlan } from "../generators/generator.ts";
import { sum } from "../statistics/variation.ts";
import { type LoadSite, type MeasuredLoad, measuredLoad, PARTED_AT } from "./measure-load.ts";
import { sampleAround, sampleLoad, sampleServers } from "./sample-load.ts";
import type { Turn } from "./turns.ts";
import type { WarmupRule } from "../plan/warm-up-end.ts";
import { watchLoad } from "./watched-load.ts";
import { windowsTogether } from "./windows-together.ts";

/** Load after the window, in which the generator reports the total sent at the window's end. */
const AFTER_MS = 150;
/** The time by which a load may outlast its plan: turns end with their cycle. */
const SPARE_MS = 8_000;

/**
 * Puts a load on several servers at once, lets them settle, and then cuts the window out of the same load: between the two
 * no connection is made, which costs servers a share of their requests that differs by runtime. So counts of the load and
 * of the whole system hold the settling too; shares, and what each server did, are the window's alone.
 *
 * Servers that can be stopped take turns, and every moment that is read lies between two turns. What each does just after
 * it went on is not counted: see {@link RAMP_UP_MS}.
 *
 * @param plan with the length of the window, without what leads in
 */
export async function measureTogether(
  plan: LoadPlan,
  rule: WarmupRule,
  site: LoadSite,
): Promise<MeasuredLoad | { failed: string }> {
  const windowMs = site.inTurns === undefined ? plan.durationMs : turnsTakeMs(plan.durationMs, site.serverPids.length);
  const before = await sampleAround(site);
  const watched = await watchLoad({ ...plan, durationMs: rule.mostMs + windowMs + SPARE_MS }, site);
  const { load, startedUs, turns } = watched;
  const { pid } = load.process;
  let over = false;
  void load.result.then(() => over = true);
  /** Waits for a moment of the driver's steady clock; with turns it runs whole cycles, and returns them. */
  const loadedUntil = async (atMs: number, rampUpMs = 0): Promise<Turn[]> => {
    if (turns === null) {
      await Promise.race([sleep(atMs - performance.now()), load.result]);
      return [];
    }
    const taken: Turn[] = [];
    do taken.push(...await turns.cycle(rampUpMs)); while (!over && performance.now() < atMs);
    return taken;
  };
  const halfCycleMs = turns === null ? 0 : (turns.ms + RAMP_UP_MS) * site.serverPids.length / 2;
  let generatorThreadCpus, begin, part, end, windowMoments;
  try {
    await watched.until(rule);
    generatorThreadCpus = valueOf(await site.hosts.load.threadCpus(pid));
    begin = await sampleLoad(site, pid);
    const beganMs = performance.now();
    // The number of cycles that comes nearest, without exceeding the plan.
    const headTurns = await loadedUntil(beganMs + windowMs * PARTED_AT - halfCycleMs, RAMP_UP_MS);
    part = await sampleServers(site);
    const tailTurns = await loadedUntil(beganMs + windowMs, RAMP_UP_MS);
    end = await sampleLoad(site, pid);
    await loadedUntil(performance.now() + AFTER_MS);
    windowMoments = { begin, beganMs, headTurns, part, tailTurns, end };
  } finally {
    await turns?.end();
  }
  await load.end();
  const result = await load.result;
  if ("failed" in result) return result;
  const ended = await sampleAround(site);

  const windows = windowsTogether(watched, windowMoments);
  const settled = before.servers.map((_, n) => watched.sentTo(n, begin.atUs) ?? 0);
  const shape = {
    thread_cpus: generatorThreadCpus && [...generatorThreadCpus],
    ...(turns === null ? {} : { turn_ms: turns.ms, lead_in_ms: RAMP_UP_MS }),
  };
  return measuredLoad(plan, site, { before, early: begin, part, late: end, after: ended }, {
    ...{ result, shape, windows },
    warmup: watched.warmup({ durationUs: begin.atUs - startedUs, requests: sum(settled) }),
  });
}
