import { median } from "../core/statistics/median.ts";
import type { RequestPlan } from "../generators/generator.ts";
import type { Interrupts } from "../host/interrupts.ts";
import type { TrialSite } from "../trial/conduct-trial.ts";
import type { Equipment } from "../trial/equip.ts";
import { startLoad } from "../trial/load-process.ts";
import { type ServerRequest, startServer, stopServer } from "../trial/server-process.ts";

/** What the parts of `bench self` share. */
export interface SelfSite {
  readonly equipment: Equipment;
  readonly dataDirectory: string;
  readonly rounds: number;
  readonly interrupts: Interrupts;
  say(text: string): void;
}

/** Connections of every load here. */
export const CONNECTIONS = 50;

/** A site for single trials and duets outside any run, with windows of a length. */
export function selfTrialSite(
  { equipment, rounds, interrupts }: SelfSite,
  directoryOf: TrialSite["storeDirectory"],
  windowMs: number,
): TrialSite {
  return {
    ...equipment,
    plan: {
      subjects: [],
      duets: [],
      rounds,
      durationMs: windowMs,
      duetMs: windowMs,
      warmupMs: 1_000,
      connections: CONNECTIONS,
      seed: 1,
      dataSeed: 42,
      missShare: 0,
      profile: "self",
      generator: equipment.generator.name,
      engine: "native",
    },
    runtime: (name) => equipment.runtimes.get(name)!,
    runtimeForCeiling: [...equipment.runtimes.values()][0]!,
    storeDirectory: directoryOf,
    onStart: interrupts.onStart,
  };
}

/** Loads a running server once and gives its rate in requests a second. Throws when the generator fails. */
export async function rateOnce(site: SelfSite, url: string, requests: RequestPlan, seconds = 1): Promise<number> {
  const { equipment } = site;
  const load = startLoad(
    equipment.generator,
    equipment.program,
    {
      urls: [url],
      connections: CONNECTIONS,
      threads: equipment.threads,
      durationMs: seconds * 1000,
      timeoutMs: 10_000,
      requests,
    },
    equipment.placement.loadCpus,
  );
  site.interrupts.onStart(() => load.child.kill("SIGKILL"));
  const result = await load.result;
  if ("failed" in result) throw new Error(result.failed);
  return result.requests / (result.durationUs / 1e6);
}

/** Starts a server, hands it to `use` and stops it whatever happens. */
export async function withServer<T>(
  site: SelfSite,
  request: Omit<ServerRequest, "cpus" | "onStart">,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = await startServer({
    ...request,
    cpus: site.equipment.placement.serverCpus,
    onStart: site.interrupts.onStart,
  });
  if ("failed" in server) throw new Error(server.failed.message);
  try {
    return await use(server.ready.url);
  } finally {
    await stopServer(server.child);
  }
}

/** Median over rounds of the ratios a / b of two measurements taken right after each other, the order turned each round. */
export async function ratioOf(
  site: SelfSite,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ ratio: number; ratios: number[] }> {
  const ratios: number[] = [];
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    let first: number, second: number;
    if (round % 2 === 0) [first, second] = [await a(), await b()];
    else {
      second = await b();
      first = await a();
    }
    ratios.push(first / second);
  }
  return { ratio: ratios.length === 0 ? NaN : median(ratios), ratios };
}

/** `median of 9, 0.94 to 0.99`. */
export function spreadText(ratios: readonly number[]): string {
  return `median of ${ratios.length}, ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
}
