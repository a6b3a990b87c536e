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

/** A load under way, with how far it is and what its servers used for it. */
export interface WatchedLoad extends Pick<SentLog, "sentTo" | "sentAtWork">, Pick<SliceLog, "sizes"> {
  readonly load: LoadProcess;
  /** The wall clock of the generator's host when it had been started, in microseconds. */
  readonly startedUs: number;
  /** Follows the load slice by slice until the rule says that it is warm-up enough, or until it ends by itself. */
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
  // Whoever awaits it finds what was sent to the end.
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
        // More slices are known when the load has ended; what it ended by is what its slices said then.
        ...end.judged ?? judgedSlices(slices),
      };
    },
  };
}

/** A load that is followed. */
interface Follow extends Pick<WatchedLoad, "startedUs" | "turns"> {
  readonly site: LoadSite;
  readonly sent: SentLog;
  readonly log: SliceLog;
  readonly sliceMs: number;
  isOver(): boolean;
}

/** Ends a slice after the other until the rule says how the warm-up has ended, or the load is over. */
async function followUntil(rule: WarmupRule, follow: Follow): Promise<WarmupEnd> {
  const { site, sent, log, sliceMs, turns, startedUs, isOver } = follow;
  const { endsEveryMs } = site.tool.generator;
  const started = performance.now();
  /** For how long the load has gone on, and when that was. */
  let loaded = { ms: NaN, atMs: started };
  while (!isOver()) {
    if (turns !== null) await turns.cycle();
    else {
      const loadedMs = loaded.ms + performance.now() - loaded.atMs;
      await new Promise((resolve) => setTimeout(resolve, nextSliceMs(sliceMs, loadedMs, endsEveryMs)));
    }
    if (isOver()) break;
    // The work of a server around a moment in which it was stopped is one slice.
    if (site.still?.() === true) continue;
    const atUs = await log.mark();
    // A generator whose turn does not come begins late: what it did not load is no warm-up.
    const loadedMs = (atUs - Math.max(startedUs, sent.beganUs())) / 1e3;
    loaded = { ms: loadedMs, atMs: performance.now() };
    const end = warmupEnd(rule, {
      watchedMs: performance.now() - started,
      loadedMs,
      // The load of one server ends with its warm-up; that of several goes on.
      endsMs: site.serverPids.length === 1 ? endsAtMs(loadedMs, endsEveryMs) : null,
      slices: log.slices,
    });
    if (end !== null) return end;
  }
  return { ended: "most" };
}

/** A finished warm-up: what the generator counted, and how the servers' cost went. */
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
