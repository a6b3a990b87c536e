import { cpuNsBetween } from "../core/cpu-time.ts";
import type { SizeReading } from "../judge/leak.ts";
import type { ProcessSample } from "../record/samples.ts";
import { endsAtMs, nextSliceMs } from "../core/slice-length.ts";
import { joinedSlices, relativeSlices, sentAt, sentBeforeStill, type SentPoint } from "../statistics/slices.ts";
import { type Slice, steady } from "../statistics/steady.ts";
import type { Warmup } from "../record/observation-record.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { turnMs } from "../core/turn-length.ts";
import { warmupWork } from "../core/warm-up-work.ts";
import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import type { ProcessSize } from "../host/process-size.ts";
import type { LoadSite } from "./measure-load.ts";
import { type LoadProcess, startLoad } from "./load-process.ts";
import { sampleBoth } from "./sample-load.ts";
import { takeTurns, type Turns } from "./turns.ts";

/** When a warm-up may end, and when it must. */
export interface WarmupRule {
  /** What each server must have done. */
  readonly least: "enough-to-compile" | "nothing";
  /** Not before this, whatever the servers did. */
  readonly leastMs: number;
  /** Given up after this. */
  readonly mostMs: number;
  /**
   * `flat`: every server is shown to be steady. `not-moving`: none is seen to change: for servers that were flat alone and
   * have now so small a share of the core that a slice says little. `time`: at `leastMs`, steady or not.
   */
  readonly until: "flat" | "not-moving" | "time";
}

/** A load under way, with how far it is and what its servers used for it. */
export interface WatchedLoad {
  readonly load: LoadProcess;
  /** The wall clock of the generator's host when it had been started, in microseconds. */
  readonly startedUs: number;
  /** Follows the load slice by slice until the rule says that it is warm-up enough, or until it ends by itself. */
  until(rule: WarmupRule): Promise<void>;
  /** What was seen until then, once the load has ended, of a warm-up that was so long and so many requests to all servers. */
  warmup(extent: Pick<LoadResult, "durationUs" | "requests">): Warmup;
  /** Null where servers do not take turns. */
  readonly turns: Turns | null;
  /**
   * Requests sent to the n-th server by a moment on the wall clock of the generator's host in microseconds, at which it stood
   * still where servers take turns; null while that is not known.
   */
  sentTo(n: number, atUs: number): number | null;
  /** The same by a moment at which the server was at work. */
  sentAtWork(n: number, atUs: number): number | null;
  /** What the one server held after so many requests of this load; empty for several, and where the system does not tell. */
  sizes(): SizeReading[];
}

/** Length of a slice for one server, and for each of several that do not take turns: the core's time slices must be many in it. */
const SLICE_MS = 100;
const SLICE_TOGETHER_MS = 25;

/**
 * Starts a load that tells how many requests it has sent, and follows the CPU time each of its servers needs for one.
 *
 * A clock cannot say when an engine has compiled what it will compile: that takes a number of requests, and how long those
 * take is the machine's and the server's. So the curve decides, between a least and a most.
 */
export async function watchLoad(plan: LoadPlan, site: LoadSite): Promise<WatchedLoad> {
  const servers = site.serverPids.length;
  const sliceMs = site.inTurns !== undefined
    ? servers * turnMs(servers)
    : Math.max(SLICE_MS, servers > 1 ? servers * SLICE_TOGETHER_MS : 0);
  const points = new Map<number, SentPoint[]>();
  const load = await startLoad(site, { ...plan, watched: true }, (sent) => {
    const own = points.get(sent.thread) ?? [];
    points.set(sent.thread, own);
    own.push(sent);
  });
  let over = false;
  // Whoever awaits it finds what was sent to the end.
  const result = load.result.then(async (result) => {
    over = true;
    const ending = await load.process.ended;
    if ("failed" in result || "failed" in ending) return result;
    // A slow server tells too rarely: what was sent to it in the end closes its last stretch.
    const atUs = ending.endedUs;
    result.threads.forEach(({ sent }, thread) => {
      const own = points.get(thread) ?? [];
      points.set(thread, own);
      own.push({ atUs, requests: sent.reduce((sum, one) => sum + one, 0) });
    });
    return result;
  });
  const turns = site.inTurns === undefined ? null : takeTurns(site.inTurns, turnMs(servers), plan.seed, result);
  const sentBy = (by: typeof sentAt) => (n: number, atUs: number): number | null => {
    const threads = servers > 1 ? [n] : [...points.keys()];
    const sent = threads.map((thread) => by(points.get(thread) ?? [], atUs));
    return sent.length === 0 || sent.includes(null) ? null : sent.reduce<number>((sum, one) => sum + one!, 0);
  };
  const sentAtWork = sentBy(sentAt);
  const sentTo = turns === null ? sentAtWork : sentBy(sentBeforeStill);

  /** When the first requests were sent, as soon as it is known. */
  const began = () => Math.min(...[...points.values()].map(([first]) => first?.atUs ?? Infinity));

  const marks: {
    readonly atUs: number;
    readonly cpu: readonly (ProcessSample | null)[];
    readonly size: ProcessSize | null;
  }[] = [];
  const [only] = servers === 1 ? site.serverPids : [];
  const mark = async (): Promise<number> => {
    const { server, load } = await sampleBoth(site.hosts, site.serverPids, [], {
      what: "processes",
      sizes: typeof only === "number",
    });
    marks.push({
      atUs: load.beganUs,
      size: server.sizes[0] ?? null,
      cpu: server.processes.map((sample) => "value" in sample ? sample.value : null),
    });
    return load.beganUs;
  };
  /** The slices between marks for which everything is known; the same number for each server. */
  const slicesNow = (): Slice[][] => {
    const all: Slice[][] = site.serverPids.map(() => []);
    for (let n = 1; n < marks.length; n++) {
      const [from, to] = [marks[n - 1]!, marks[n]!];
      const slice = site.serverPids.map((_, server) => {
        const [before, after] = [sentTo(server, from.atUs), sentTo(server, to.atUs)];
        const [a, b] = [from.cpu[server], to.cpu[server]];
        return before === null || after === null || !a || !b
          ? null
          : { requests: after - before, cpuNs: cpuNsBetween(a, b) };
      });
      if (slice.every((one) => one !== null)) slice.forEach((one, server) => all[server]!.push(one!));
    }
    return all;
  };
  const said = (slices: readonly (readonly Slice[])[]) =>
    relativeSlices(joinedSlices(slices)).map((own) => steady(own, {}, undefined, servers).kind);

  const { endsEveryMs } = site.generator;
  let ended: Warmup["ended"] = "most", seen: Warmup["steadiness"] | undefined;
  const startedUs = await mark();
  return {
    load: { ...load, result },
    startedUs,
    turns,
    sentTo,
    sentAtWork,
    sizes: () =>
      marks.flatMap(({ atUs, size }): SizeReading[] => {
        const sent = sentTo(0, atUs);
        return sent === null || size === null ? [] : [[Math.round(sent), size.bytes, size.descriptors]];
      }),
    async until(rule) {
      const started = performance.now();
      /** For how long the load has gone on, and when that was. */
      let loaded = { ms: NaN, atMs: started };
      const loadedNow = () => loaded.ms + performance.now() - loaded.atMs;
      while (!over) {
        if (turns === null) {
          await new Promise((resolve) => setTimeout(resolve, nextSliceMs(sliceMs, loadedNow(), endsEveryMs)));
        } else await turns.cycle();
        if (over) return;
        // What a server did around a moment in which it was made to stand still is one slice.
        if (site.still?.() === true) continue;
        const atUs = await mark();
        if (performance.now() - started >= rule.mostMs) return;
        // A generator whose turn does not come begins late: what it did not load is no warm-up.
        const loadedMs = (atUs - Math.max(startedUs, began())) / 1e3;
        loaded = { ms: loadedMs, atMs: performance.now() };
        // That of one server ends with its warm-up; that of several goes on.
        if (rule.until === "time" && only !== undefined && endsAtMs(loadedMs, endsEveryMs) >= rule.leastMs) {
          ended = "planned";
          return;
        }
        if (loadedMs < rule.leastMs) continue;
        if (rule.until === "time") {
          ended = "planned";
          return;
        }
        const slices = slicesNow();
        const work = Math.min(...slices.map(workOf));
        if (rule.least === "enough-to-compile" && work < 1) continue;
        const kinds = said(slices);
        if (kinds.every((kind) => rule.until === "flat" ? kind === "flat" : kind !== "moving")) {
          // More slices will be known when the load has ended; what it ended by is what these said.
          ended = "steady";
          seen = kinds;
          return;
        }
        if (rule.least === "enough-to-compile" && work >= THRESHOLDS.warmupMostWork) return;
      }
    },
    warmup({ durationUs, requests }) {
      const slices = slicesNow();
      return {
        ended,
        duration_us: Math.round(durationUs),
        requests: Math.round(requests),
        slice_ms: sliceMs,
        curves: slices.map((own) =>
          own.map(({ requests, cpuNs }) => requests < 1 ? null : Math.round(cpuNs / requests))
        ),
        steadiness: seen ?? said(slices),
      };
    },
  };
}

/** What a server has done of what engines ask for before they compile: 1 is enough. */
const workOf = (slices: readonly Slice[]): number =>
  warmupWork({
    requests: slices.reduce((sum, slice) => sum + slice.requests, 0),
    cpuMs: slices.reduce((sum, slice) => sum + slice.cpuNs, 0) / 1e6,
  });
