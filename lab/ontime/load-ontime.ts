import { fileURLToPath } from "node:url";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { RequestPlan, ServerSpec } from "../../suites/suite.ts";
import type { LoadResult } from "../../bench/generators/generator.ts";
import { ontime } from "../../bench/generators/ontime.ts";
import { startLoad } from "../../bench/observe/load-process.ts";
import type { Equipment } from "../../bench/observe/site.ts";
import { startServer, stopServer } from "../../bench/process/start-server.ts";
import { percentileUs } from "../../bench/statistics/latency-histogram.ts";
import type { SelfSite } from "../self/self-site.ts";
import type { KnownDelay, MeasuredWait } from "./known-waits.ts";

const SERVER = fileURLToPath(new URL("./known-delays.lua", import.meta.url));

/** The place of servers and loads of the proof. */
interface ProofSite {
  readonly equipment: {
    readonly hosts: Pick<Equipment["hosts"], "load">;
    readonly placement: Pick<Equipment["placement"], "serverCpus" | "loadCpus">;
    readonly priority: Pick<Equipment["priority"], "nice">;
    readonly wrk: Pick<Equipment["wrk"], "program">;
    readonly serversWrk: Pick<Equipment["wrk"], "program">;
  };
  readonly interrupts: Pick<SelfSite["interrupts"], "onStart">;
}

/** Returns a server of wrk's LuaJIT with known delays. */
const delayed = (wrk: string, words: string): ServerSpec =>
  ({
    kind: "command",
    command: [wrk, "-t1", "-c1", "-d1", "-s", SERVER, "-H", `delays: ${words}`, "http://{host}:{port}"],
    ready: "/",
    stop: "SIGTERM",
    identity: {},
  }) as ServerSpec;

/** Starts a server, lets a function use it and ends it. Throws if it does not start. */
export async function withServer<T>(
  { equipment: { placement, priority }, interrupts }: ProofSite,
  spec: ServerSpec,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const place = { cpus: placement.serverCpus, raised: priority.nice !== null };
  const server = await startServer({ spec, runtime: null, ...place, onStart: interrupts.onStart });
  if (!("url" in server)) throw new Error("failed" in server ? server.failed.text : server.unsupported);
  try {
    return await use(server.url);
  } finally {
    await stopServer(server);
  }
}

/** A load of the proof: how many requests a second and connections, and for how long. */
type ProofLoad = Pick<KnownDelay, "perSecond" | "connections" | "seconds">;

/** Loads a server once and returns the counts. Throws if the generator fails. */
export async function loadOnTime(
  { equipment, interrupts }: ProofSite,
  url: string,
  { perSecond, connections, seconds }: ProofLoad,
): Promise<LoadResult> {
  const requests: RequestPlan = { pace: { perSecond, connections }, mix: [{ path: "/", expect: [200] }] };
  const load = await startLoad({
    ...equipment,
    tool: { generator: ontime, program: equipment.wrk.program, lead: [] },
    onStart: interrupts.onStart,
  }, {
    ...{ targets: [{ url, requests }], threads: 1, durationMs: 1e3 * seconds, timeoutMs: 10_000, seed: 1, load: 0 },
  });
  const result = await load.result;
  if ("failed" in result) throw new Error(result.failed);
  return result;
}

/** The waits of one window, from when requests were due and sent, and the counts. */
interface Waits {
  readonly due: readonly MeasuredWait[];
  readonly sent: readonly MeasuredWait[];
  readonly result: LoadResult;
}

/** Loads a server with a known delay once. */
export async function measureWaits(site: ProofSite, delay: KnownDelay): Promise<Waits> {
  return await withServer(site, delayed(site.equipment.serversWrk.program, delay.words), async (url) => {
    const before = await haltedUs(url);
    const result = await loadOnTime(site, url, delay);
    const ofServer = (await haltedUs(url) - before) / result.durationUs;
    const haltedShare = ofServer + (result.haltedShare ?? 0);
    const waits = (histogram: NonNullable<LoadResult["latency"]>) =>
      delay.waits.map(([share, expectedUs]): MeasuredWait => {
        const [measuredUs, lateUs] = [percentileUs(histogram, share), percentileUs(result.late!, share)];
        return { share, expectedUs, measuredUs, lateUs, haltedShare };
      });
    return { due: waits(result.latency!), sent: waits(result.sent!), result };
  });
}

/** Asks a server with known delays for how long others had its core so far, in microseconds. */
async function haltedUs(url: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    request(`${url}/halted`, { agent: false }, (reply) => void text(reply).then(Number).then(resolve, reject))
      .on("error", reject).end();
  });
}
