import { countersOf } from "../core/counters.ts";
import { cpuNsAlong } from "../core/cpu-time.ts";
import { valueOf } from "../core/samples.ts";
import type { LoadPlan } from "../generators/generator.ts";
import { sum } from "./findings.ts";
import { coresBetween, isSlice, type LoadSite, type MeasuredLoad, PART, type ServerWindow } from "./measure-load.ts";
import { sampleAround, sampleLoad, sampleServers, type ServersSample } from "./sample-load.ts";
import { type WarmupRule, watchLoad } from "./watched-load.ts";

/** Load after the window, in which the generator still tells how much it had sent at the window's end. */
const AFTER_MS = 150;
/** By how much a load may outlast what is planned of it: turns end when their cycle does. */
const SPARE_MS = 4_000;

/**
 * Puts a load on several servers at once, lets them settle, and then cuts the window out of the same load: between the two
 * no connection is made, which costs servers a share of their requests that differs by runtime. So counts of the load and
 * of the whole system hold the settling too; shares, and what each server did, are the window's alone.
 *
 * Servers that can be stopped take turns, and every moment that is read lies between two turns.
 *
 * @param plan with the length of the window
 */
export async function measureTogether(
  plan: LoadPlan,
  rule: WarmupRule,
  site: LoadSite,
): Promise<MeasuredLoad | { failed: string }> {
  const windowMs = plan.durationMs;
  const before = await sampleAround(site);
  const serversBefore = before.servers;
  const watched = await watchLoad({ ...plan, durationMs: rule.mostMs + windowMs + SPARE_MS }, site);
  const { load, startedUs, turns } = watched;
  const { pid } = load.process;
  let over = false;
  void load.result.then(() => over = true);
  /** Whole cycles where servers take turns. */
  const loadedFor = async (ms: number): Promise<void> => {
    if (turns === null) {
      await Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), load.result]);
      return;
    }
    const fromMs = performance.now();
    do await turns.cycle(); while (!over && performance.now() - fromMs < ms);
  };
  let moments;
  try {
    await watched.until(rule);
    const generatorThreadCpus = valueOf(await site.hosts.load.threadCpus(pid));
    const begin = await sampleLoad(site, pid);
    await loadedFor(windowMs * PART);
    const part = await sampleServers(site);
    await loadedFor(windowMs * (1 - PART));
    const end = await sampleLoad(site, pid);
    await loadedFor(AFTER_MS);
    moments = { generatorThreadCpus, begin, part, end };
  } finally {
    await turns?.end();
  }
  const { generatorThreadCpus, begin, part, end } = moments;
  await load.end();
  const result = await load.result;
  if ("failed" in result) return result;
  const ended = await sampleAround(site);

  /** What the n-th server did between two moments. */
  const between = (n: number, from: ServersSample, to: ServersSample) => {
    const [before, after] = [watched.sentTo(n, from.atUs), watched.sentTo(n, to.atUs)];
    const requests = before === null || after === null ? 0 : Math.max(0, after - before);
    return { requests, cpuNs: cpuNsAlong([from.servers[n]!, to.servers[n]!]) };
  };
  const windows = serversBefore.map((_, n): ServerWindow => {
    const [head, tail] = [between(n, begin, part), between(n, part, end)];
    const { requests } = between(n, begin, end);
    const cpuNs = cpuNsAlong([begin, part, end].map(({ servers }) => servers[n]!));
    return { requests: Math.round(requests), cpuNs, parts: isSlice(head) && isSlice(tail) ? [head, tail] : null };
  });
  const settled = serversBefore.map((_, n) => watched.sentTo(n, begin.atUs) ?? 0);
  return {
    result,
    counters: countersOf({
      serversBefore,
      serversAfter: ended.servers,
      systemBefore: before.system,
      systemAfter: ended.system,
      loadBefore: before.loadSystem,
      loadAfter: ended.loadSystem,
      link: site.link,
      early: begin,
      part,
      late: end,
      serverCpus: site.serverCpus,
      loadCpus: site.loadCpus,
      requests: result.requests,
    }),
    windows,
    turnMs: turns?.ms ?? null,
    warmup: watched.warmup({ durationUs: begin.atUs - startedUs, requests: sum(settled) }),
    generatorCores: coresBetween(begin.generator, end.generator),
    generatorThreadCpus,
  };
}
