import { setTimeout as sleep } from "node:timers/promises";
import { endsAtMs, nextSliceMs, turnMs } from "../plan/lengths.ts";
import { judgedSlices, type WarmupEnd, warmupEnd, type WarmupRule } from "../plan/warm-up-end.ts";
import type { SizeReading } from "../judge/leak.ts";
import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import type { Warmup } from "../record/observation-record.ts";
import { type LoadProcess, startLoad } from "./load-process.ts";
import type { LoadSite } from "./measure-load.ts";
import { type SentLog, sentLog } from "./sent-log.ts";
import { type SliceLog, sliceLog } from "./slice-log.ts";
import { takeTurns, type Turns } from "./turns.ts";

/** A running load, with its progress and the CPU use of its servers. */
export interface WatchedLoad extends Pick<SentLog, "sentTo" | "sentAtWork">, Pick<SliceLog, "sizes"> {
  readonly load: LoadProcess;
  /** The start by the wall clock of the generator's host, in microseconds. */
  readonly startedUs: number;
  /** Follows the load slice by slice until the rule ends the warm-up, or until the load ends. */
  until(rule: WarmupRule): Promise<void>;
  /** Returns the record of a warm-up after its load has ended, from its length and its number of requests. */
  warmup(extent: Pick<LoadResult, "durationUs" | "requests">): Warmup;
  /** Null where servers do not take turns. */
  readonly turns: Turns | null;
}

/** Length of a slice for one server, and for each of several that do not take turns: the core's time slices must be many in it. */
const SLICE_MS = 100;
const SLICE_TOGETHER_MS = 25;

/**
 * Starts a load that reports its total of requests, and follows the CPU time each of its servers needs for one.
 *
 * A clock cannot say when an engine has compiled what it will compile: that takes a number of requests, and how long those
 * take is the machine's and the server's. So the curve decides, between a least and a most.
 */
export async function watchLoad(plan: LoadPlan, site: LoadSite): Promise<WatchedLoad> {
  const servers = site.serverPids.length;
  const sliceMs = site.inTurns !== undefined
    ? servers * turnMs(servers)
    : Math.max(SLICE_MS, servers > 1 ? servers * SLICE_TOGETHER_MS : 0);
  const sent = sentLog(servers, site.inTurns !== undefined);
  const load = await startLoad(site, { ...plan, watched: true }, sent.note);
  let over = false;
  // The final totals are added before anybody awaits the result.
  const result = load.result.then(async (result) => {
    over = true;
    const ending = await load.process.ended;
    if (!("failed" in result) && !("failed" in ending)) sent.close(result, ending.endedUs);
    return result;
  });
  const turns = site.inTurns === undefined ? null : takeTurns(site.inTurns, turnMs(servers), plan.seed, result);
  const log = sliceLog(site, sent);
  const follow: Follow = { site, sent, log, sliceMs, turns, startedUs: await log.mark(), isOver: () => over };
  let end: WarmupEnd = { ended: "most" };
  return {
    load: { ...load, result },
    startedUs: follow.startedUs,
    turns,
    sentTo: sent.sentTo,
    sentAtWork: sent.sentAtWork,
    sizes: log.sizes,
    until: async (rule) => void (end = await followUntil(rule, follow)),
    warmup({ durationUs, requests }) {
      const slices = log.slices();
      return {
        ended: end.ended,
        duration_us: Math.round(durationUs),
        requests: Math.round(requests),
        slice_ms: sliceMs,
        slices: slices.map((ofServer) => ofServer.map(({ requests, cpu_ns }): [number, number] => [requests, cpu_ns])),
        // More slices are complete when the load has ended; the verdict used those of its moment.
        ...end.judged ?? judgedSlices(slices),
      };
    },
  };
}

interface Follow extends Pick<WatchedLoad, "startedUs" | "turns"> {
  readonly site: LoadSite;
  readonly sent: SentLog;
  readonly log: SliceLog;
  readonly sliceMs: number;
  isOver(): boolean;
}

/** Takes slices until the rule ends the warm-up, or the load is over. */
async function followUntil(rule: WarmupRule, follow: Follow): Promise<WarmupEnd> {
  const { site, sent, log, sliceMs, turns, startedUs, isOver } = follow;
  const { endsEveryMs } = site.tool.generator;
  const started = performance.now();
  /** The duration of the load, and the moment of that reading. */
  let loaded = { ms: NaN, atMs: started };
  while (!isOver()) {
    if (turns !== null) await turns.cycle();
    else {
      const loadedMs = loaded.ms + performance.now() - loaded.atMs;
      await sleep(nextSliceMs(sliceMs, loadedMs, endsEveryMs));
    }
    if (isOver()) break;
    // The work of a server around a stop is one slice.
    if (site.still?.() === true) continue;
    const atUs = await log.mark();
    // A generator without CPU time begins late; the time before is no warm-up.
    const loadedMs = (atUs - Math.max(startedUs, sent.beganUs())) / 1e3;
    loaded = { ms: loadedMs, atMs: performance.now() };
    const end = warmupEnd(rule, {
      watchedMs: performance.now() - started,
      loadedMs,
      // The load of one server ends with its warm-up; that of several continues.
      endsMs: site.serverPids.length === 1 ? endsAtMs(loadedMs, endsEveryMs) : null,
      slices: log.slices,
    });
    if (end !== null) return end;
  }
  return { ended: "most" };
}

interface WarmedUp {
  readonly result: LoadResult;
  readonly warmup: Warmup;
  /** Sizes of a single server during the warm-up; see {@link watchLoad}. */
  readonly sizes: readonly SizeReading[];
}

/** Loads servers until they are warm by a rule. */
export async function warmUp(
  plan: LoadPlan,
  rule: WarmupRule,
  site: LoadSite,
): Promise<WarmedUp | { readonly failed: string }> {
  const watched = await watchLoad({ ...plan, durationMs: rule.mostMs + 2_000 }, site);
  await watched.until(rule);
  await watched.load.end();
  const result = await watched.load.result;
  return "failed" in result ? result : { result, warmup: watched.warmup(result), sizes: watched.sizes() };
}
