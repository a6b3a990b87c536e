import type { RequestPlan } from "../suites/suite.ts";
import { median } from "../bench/statistics/median.ts";
import type { LoadPlan, LoadResult } from "../bench/generators/generator.ts";
import { startLoad } from "../bench/observe/load-process.ts";
import type { Tool } from "../bench/observe/site.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import { measured, middle } from "./measured.ts";
import { presentTools, withNullServer } from "./null-site.ts";
import { type SelfSite, spreadText } from "../bench/self/self-site.ts";

const CLOSED: RequestPlan = { pace: { closed: 50 }, mix: [{ path: "/", expect: [200] }] };
/** Shares of its own ceiling at which a schedule is held against what was sent. */
const RATES = [0.25, 0.5, 0.75];

const of = measured("generators");

/**
 * The rate of each generator against a server that does nothing, over wrk's. Of those that keep a rate: the share of what
 * was due that they sent. A generator that is not installed is left out.
 */
export async function measureGenerators(site: SelfSite): Promise<Measurement[]> {
  const { interrupts } = site;
  return await withNullServer(site, async (server) => {
    const measurements: Measurement[] = [];
    const tools = await presentTools(site);
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
      const note = own.length === 0 ? "not measured" : `${Math.round(median(own))} req/s; ${spreadText(ratios)}`;
      measurements.push(of(`${name} ${generatorVersion}: ceiling over wrk's`, middle(ratios), null, note));
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
        const what = `${name}: sent of what was due at ${100 * share} % of its ceiling`;
        const goal = share <= 0.5 ? { least: 0.99 } : null;
        measurements.push(of(what, middle(made), goal, `${perSecond} req/s; ${spreadText(made)}`));
      }
    }
    return measurements;
  });
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
  const load = await startLoad({ ...equipment, tool, onStart: interrupts.onStart }, plan);
  const result: LoadResult | { readonly failed: string } = await load.result;
  if ("failed" in result) {
    say(result.failed);
    return 0;
  }
  return result.requests / (result.durationUs / 1e6);
}
