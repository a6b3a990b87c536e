import type { RequestPlan } from "../../suites/suite.ts";
import { median } from "../core/statistics/median.ts";
import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import { nullServer } from "../generators/null-server.ts";
import { GENERATORS } from "../generators/registry.ts";
import { refusal } from "../generators/known-wrong.ts";
import { startLoad } from "../observe/load-process.ts";
import { inspectGenerator } from "../observe/inspect-generator.ts";
import { startServer, stopServer } from "../observe/server-process.ts";
import type { Tool } from "../observe/site.ts";
import type { Measurement } from "./measurements.ts";
import { type SelfSite, spreadText } from "./self-site.ts";

const CLOSED: RequestPlan = { pace: { closed: 50 }, mix: [{ path: "/", expect: [200] }] };
/** Shares of its own ceiling at which a schedule is held against what was sent. */
const RATES = [0.25, 0.5, 0.75];

/**
 * What each generator there is can do against a server that does nothing, over wrk; and, of those that keep a rate, how
 * much of what was due they sent. One that is absent is left out.
 */
export async function measureGenerators(site: SelfSite): Promise<Measurement[]> {
  const { equipment, interrupts } = site;
  const server = await startServer({
    spec: nullServer(equipment.wrk.program),
    runtime: null,
    cpus: equipment.placement.serverCpus,
    raised: equipment.priority.nice !== null,
    onStart: interrupts.onStart,
  });
  if (!("url" in server)) throw new Error("failed" in server ? server.failed.message : server.unsupported);
  const measurements: Measurement[] = [];
  try {
    const tools = await toolsOf(site);
    const rates = new Map<string, number[]>(tools.map(({ generator }) => [generator.name, []]));
    for (let round = 0; round < site.rounds && !interrupts.stopped(); round++) {
      for (const tool of round % 2 === 0 ? tools : tools.toReversed()) {
        site.say(`generators: ${tool.generator.name}, round ${round + 1} of ${site.rounds}`);
        rates.get(tool.generator.name)!.push(await rateOf(site, tool, server.url, CLOSED));
      }
    }
    const wrk = rates.get("wrk")!;
    for (const { generator: { name }, generatorVersion } of tools) {
      const own = rates.get(name)!;
      const ratios = own.map((rate, n) => rate / wrk[n]!);
      measurements.push({
        part: "generators",
        name: `${name} ${generatorVersion}: ceiling over wrk's`,
        ratio: ratios.length === 0 ? null : median(ratios),
        goal: null,
        note: own.length === 0 ? "not measured" : `${Math.round(median(own))} req/s; ${spreadText(ratios)}`,
      });
    }
    for (const tool of tools.filter(({ generator }) => generator.abilities.openLoop)) {
      const { name } = tool.generator;
      for (const share of RATES) {
        if (interrupts.stopped() || rates.get(name)!.length === 0) break;
        const perSecond = Math.max(1, Math.round(share * median(rates.get(name)!)));
        site.say(`generators: ${name} at ${perSecond} req/s`);
        const made: number[] = [];
        for (let round = 0; round < site.rounds && !interrupts.stopped(); round++) {
          made.push(
            await rateOf(site, tool, server.url, { ...CLOSED, pace: { perSecond, connections: 200 } }) / perSecond,
          );
        }
        measurements.push({
          part: "generators",
          name: `${name}: sent of what was due at ${100 * share} % of its ceiling`,
          ratio: made.length === 0 ? null : median(made),
          goal: share <= 0.5 ? { least: 0.99 } : null,
          note: `${perSecond} req/s; ${spreadText(made)}`,
        });
      }
    }
  } finally {
    await stopServer(server);
  }
  return measurements;
}

/** The generators there are, wrk first; those whose version is known to be wrong are left out like those that are absent. */
async function toolsOf({ equipment, say }: SelfSite): Promise<Tool[]> {
  const tools: Tool[] = [equipment.wrk];
  for (const generator of Object.values(GENERATORS).slice(1)) {
    const tool = await inspectGenerator(generator).catch((error: Error) => (say(error.message), undefined));
    if (tool === undefined || refusal(generator, tool.generatorVersion, "open loop") !== null) continue;
    tools.push(tool);
  }
  return tools;
}

/** Requests a second one load of two seconds reached; 0 where it failed. */
async function rateOf(site: SelfSite, tool: Tool, url: string, requests: RequestPlan): Promise<number> {
  const { equipment, interrupts, say } = site;
  const plan: LoadPlan = {
    targets: [{ url, requests }],
    threads: tool.generator.abilities.threads ? equipment.threads : 1,
    durationMs: 2_000,
    timeoutMs: 10_000,
    seed: 1,
    load: 0,
    ...(tool.generator.name === "wrk" ? { plain: true } : {}),
  };
  const { generator, program, lead } = tool;
  const { placement: { loadCpus }, priority } = equipment;
  const load = startLoad({ generator, program, lead, loadCpus, raised: priority.nice !== null }, plan);
  interrupts.onStart(() => load.child.killAll());
  const result: LoadResult | { readonly failed: string } = await load.result;
  if ("failed" in result) {
    say(result.failed);
    return 0;
  }
  return result.requests / (result.durationUs / 1e6);
}
