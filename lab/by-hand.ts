import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RequestPlan } from "../suites/suite.ts";
import { formatCpuList } from "../bench/basics/cpu-list.ts";
import { percent } from "../bench/basics/percent.ts";
import { valueOf } from "../bench/record/samples.ts";
import { THRESHOLDS } from "../bench/judge/thresholds.ts";
import type { LoadPlan } from "../bench/generators/generator.ts";
import { raised } from "../bench/host/child.ts";
import { readFiles, writeFiles } from "../bench/host/program-files.ts";
import { runToEnd } from "../bench/host/run-to-end.ts";
import { measureLoad } from "../bench/observe/measure-load.ts";
import { sampleBoth } from "../bench/observe/sample-load.ts";
import type { Tool } from "../bench/observe/site.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import { presentTools, withNullServer } from "./null-site.ts";
import { overPairs } from "./over-pairs.ts";
import type { SelfSite } from "../bench/self/self-site.ts";

const CONNECTIONS = 50;
const CLOSED: RequestPlan = { pace: { closed: CONNECTIONS }, mix: [{ path: "/", expect: [200] }] };
const WINDOW_MS = 2_000;

/**
 * What measuring costs a generator: its rate when we run it, over that of the same command run plainly. CPUs and priority
 * are the same. The server does nothing, so the generator is the limit and our cost shows. The two go in pairs, and the
 * order turns each round. A pair is dropped where the hypervisor took more than an observation may lose.
 */
export async function measureByHand(site: SelfSite): Promise<Measurement[]> {
  return await withNullServer(site, async (server) => {
    const tools = await presentTools(site);
    const pairs = new Map(tools.map((tool) => [tool, [] as number[]]));
    for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
      for (const tool of round % 2 === 0 ? tools : tools.toReversed()) {
        site.say(`by hand: ${tool.generator.name}, round ${round + 1} of ${site.rounds}`);
        const plan: LoadPlan = {
          targets: [{ url: server.url, requests: CLOSED }],
          threads: tool.generator.abilities.threads ? site.equipment.threads : 1,
          durationMs: WINDOW_MS,
          timeoutMs: 10_000,
          seed: 1 + round,
          load: 0,
        };
        const both = [
          () => told(site, () => rateByUs(site, tool, plan, server.pid)),
          () => told(site, () => rateByHand(site, tool, plan)),
        ] as const;
        // Each round another one goes first.
        const first = await both[round % 2]!();
        const second = await both[1 - round % 2]!();
        const [us, hand] = round % 2 === 0 ? [first, second] : [second, first];
        if (us === null || hand === null || site.interrupts.stopped()) continue;
        const log = logOfPair(us, hand);
        if (log === null) {
          site.say(`a pair is lost: the hypervisor took ${percent(Math.max(us.stolen, hand.stolen))} of a core`);
        } else {
          pairs.get(tool)!.push(log);
          site.say(
            `by hand: ${tool.generator.name}, round ${round + 1}: by us over by hand ${Math.exp(log).toFixed(3)}`,
          );
        }
      }
    }
    return [...pairs].map(([{ generator, generatorVersion }, logs]) =>
      overPairs("by-hand", `${generator.name} ${generatorVersion}: by us over the same command by hand`, logs)
    );
  });
}

/** Logarithm of the rate by us over that by hand; null where more was stolen of either than an observation may lose. */
export function logOfPair(us: Told, hand: Told): number | null {
  return Math.max(us.stolen, hand.stolen) > THRESHOLDS.contendedShare ? null : Math.log(us.rate / hand.rate);
}

/** A rate with the largest share of a core of either side that the hypervisor took from before its start to after its end. */
export interface Told {
  /** Requests a second. */
  readonly rate: number;
  /** Nothing where the system does not tell it. */
  readonly stolen: number;
}

/** A rate and what was stolen meanwhile, asked for outside the load: alike by us and by hand. */
async function told(site: SelfSite, load: () => Promise<number | null>): Promise<Told | null> {
  const { hosts, placement: { serverCpus, loadCpus } } = site.equipment;
  const now = async () => (await sampleBoth(hosts, [], [], { what: "cpus" })).load.cpus!;
  const before = await now();
  const rate = await load();
  if (rate === null) return null;
  const after = await now();
  const [from, to] = [valueOf(before.cpus), valueOf(after.cpus)];
  const stolenNs = [...serverCpus ?? [], ...loadCpus ?? []].map((cpu) =>
    (to?.get(cpu)?.stealNs ?? 0) - (from?.get(cpu)?.stealNs ?? 0)
  );
  return { rate, stolen: Math.max(0, ...stolenNs) / (1e6 * (after.cpusAtMs - before.cpusAtMs)) };
}

/** Requests a second of a load as a run measures it; null where it failed. */
async function rateByUs(site: SelfSite, tool: Tool, plan: LoadPlan, pid: number | null): Promise<number | null> {
  const { equipment, interrupts: { onStart } } = site;
  const measured = await measureLoad(plan, CONNECTIONS, { ...equipment, tool, serverPids: [pid], onStart });
  if (!("failed" in measured)) return measured.result.requests / (measured.result.durationUs / 1e6);
  site.say(measured.failed);
  return null;
}

/** The same by the same command line, nothing else read meanwhile. */
async function rateByHand(site: SelfSite, { generator, program, lead }: Tool, plan: LoadPlan): Promise<number | null> {
  const { placement: { loadCpus }, priority } = site.equipment;
  const folder = mkdtempSync(join(tmpdir(), "levelfield-by-hand-"));
  try {
    writeFiles(generator.input?.(plan) ?? {}, folder);
    const variables = Object.entries(generator.env(plan)).map(([name, value]) => `${name}=${value}`);
    const plain = ["env", ...variables, program, ...lead, ...generator.args(plan, folder)];
    const command = priority.nice === null ? plain : raised(plain);
    const [file, ...args] = loadCpus === null ? command : ["taskset", "-c", formatCpuList(loadCpus), ...command];
    const { code, stdout, stderr } = await runToEnd(file!, args, undefined, plan.durationMs + plan.timeoutMs);
    if (code !== 0) throw new Error(stderr.trim().split("\n").at(-1) ?? "it failed");
    const result = generator.parse(stdout, plan, readFiles(generator.output ?? [], folder));
    return result.requests / (result.durationUs / 1e6);
  } catch (error) {
    site.say(`${generator.name} by hand: ${(error as Error).message.split("\n")[0]}`);
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
