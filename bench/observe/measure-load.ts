import { countersOf } from "./counters/counters.ts";
import type { LoadSamples } from "./counters/inner-window.ts";
import { cpuNsAlong } from "./counters/cpu-time.ts";
import type { Loaded } from "../record/load-record.ts";
import type { Member, Slice, Warmup } from "../record/observation-record.ts";
import { type ProcessSample, type Reading, type ServersSample, valueOf } from "../record/samples.ts";
import { sentUntil } from "../statistics/slices.ts";
import type { HostProcess } from "../pipe/host.ts";
import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import { sum } from "../statistics/variation.ts";
import { loadedOf, openedConnections } from "./findings.ts";
import { type GeneratorSite, startLoad } from "./load-process.ts";
import { type Hosts, sampleAround, type SampledSite, sampleLoad, sampleServers } from "./sample-load.ts";

/** Moments inside the window at which shares are read: after the generator's start, before its end. */
const EARLY = 0.15;
const LATE = 0.9;
/** The moment that parts a window to see if servers were warm: both parts are compared. */
export const PARTED_AT = 1 / 3;

/** A finished load: its record, and what is kept of its servers. */
export interface MeasuredLoad {
  readonly loaded: Loaded;
  readonly result: LoadResult;
  /** The work of each server in its window. */
  readonly windows: readonly Pick<Member, "requests" | "cpu_ns" | "parts" | "lead_in">[];
  /** The ramp-up of the same load; null if the window is all of it. */
  readonly warmup: Warmup | null;
}

/** The servers under load and where both sides run. */
export interface LoadSite extends GeneratorSite, SampledSite {
  readonly hosts: Hosts;
  /** Servers that take turns on their core; absent if they run at the same time. */
  readonly inTurns?: readonly Pick<HostProcess, "kill">[] | undefined;
  /** Returns true while a single server is stopped so that others can work. */
  readonly still?: (() => boolean) | undefined;
  readonly serviceCpus?: readonly number[] | null;
  /** True for a server that gives the same reply to all requests, also to those that should fail. */
  readonly ceiling?: boolean;
  readonly placement: GeneratorSite["placement"] & { readonly serverCpus: readonly number[] | null };
}

/** Returns a load with its record, from what was read at its moments. */
export function measuredLoad(
  plan: LoadPlan,
  { link, placement, serviceCpus, ceiling, hosts: { servicesOn } }: LoadSite,
  moments: Pick<LoadSamples, "before" | "early" | "part" | "late" | "after">,
  { shape, ...kept }: Omit<MeasuredLoad, "loaded"> & { readonly shape: Parameters<typeof loadedOf>[3] },
): MeasuredLoad {
  const { result } = kept;
  const { requests } = result;
  const counters = countersOf({ ...moments, ...placement, requests, link, serviceCpus, servicesOn });
  // A polling generator uses all of its core: its limit is the time in which it did more.
  const generator_share = result.workedShare ?? counters.generator_share;
  return {
    ...kept,
    loaded: loadedOf(plan, result, { ...counters, generator_share }, shape, ceiling),
  };
}

/**
 * Puts a load on one server, reads what is counted before and after it, and three times what both sides do meanwhile. Between
 * those moments it sleeps.
 */
export async function measureLoad(plan: LoadPlan, site: LoadSite): Promise<MeasuredLoad | { failed: string }> {
  const before = await sampleAround(site);
  const load = await startLoad(site, plan);

  const { pid } = load.process;
  const begun = readAt(plan.durationMs * EARLY, async () => ({
    threadCpus: valueOf(await site.hosts.load.threadCpus(pid)),
    sample: await sampleLoad(site, pid),
  }));
  const parted = readAt(plan.durationMs * PARTED_AT, () => sampleServers(site));
  const ending = readAt(plan.durationMs * LATE, () => sampleLoad(site, pid));
  const result = await load.result;
  const { sample: early, threadCpus } = await begun.over() ?? { sample: null, threadCpus: null };
  const [part, late] = [await parted.over(), await ending.over()];
  if ("failed" in result) return result;

  const after = await sampleAround(site);
  /** Each connection has one in flight, which is mostly not answered; messages are counted when they have come. */
  const inFlight = plan.targets[0].requests.websocket === undefined ? openedConnections(plan) : 0;
  /** Requests answered by a moment. */
  const answeredBy = ({ atUs }: ServersSample) =>
    Math.max(
      0,
      sum(result.threads.map((thread) => sentUntil(thread.slots, result.slotUs, thread.startedUs, atUs))) - inFlight,
    );
  /** CPU times of the n-th server at some moments; null if one could not be read. */
  const along = (n: number, moments: readonly (readonly Reading<ProcessSample>[] | null)[]) =>
    cpuNsAlong(moments.flatMap((servers) => servers?.[n] ?? []));
  const [atEarly = null, atPart = null, atLate = null] = [early, part, late].map((at) => at?.servers ?? null);
  const partsOf = (n: number): Member["parts"] => {
    if (part === null || late === null || result.threads.length === 0) return null;
    const head = { requests: answeredBy(part), cpu_ns: along(n, [before.servers, atEarly, atPart]) };
    const tail = {
      requests: Math.min(result.requests, answeredBy(late)) - head.requests,
      cpu_ns: along(n, [atPart, atLate]),
    };
    return tail.requests >= 0 && hasCpuTime(head) && hasCpuTime(tail) ? [head, tail] : null;
  };
  return measuredLoad(plan, site, { before, early, part, late, after }, {
    result,
    shape: { thread_cpus: threadCpus && [...threadCpus] },
    windows: before.servers.map((_, n) => ({
      requests: result.requests,
      cpu_ns: along(n, [before.servers, atEarly, atPart, atLate, after.servers]),
      parts: partsOf(n),
    })),
    warmup: null,
  });
}

/** Reads something after a load has run for so long. */
function readAt<T>(ms: number, read: () => Promise<T>): { over(): Promise<T | null> } {
  let reading: Promise<T> | null = null;
  const timer = setTimeout(() => {
    reading = read();
    reading.catch(() => {});
  }, ms);
  return {
    /** Cancels the reading, or waits for it if it has begun. Throws the error of that reading. */
    async over() {
      clearTimeout(timer);
      return await reading;
    },
  };
}

/** Returns true if the CPU time of a part could be read. */
export const hasCpuTime = (part: { readonly requests: number; readonly cpu_ns: number | null }): part is Slice =>
  part.cpu_ns !== null;
