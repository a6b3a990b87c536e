import { z } from "zod";
import type { ServiceSpec, Suite } from "../../suites/suite.ts";
import { failure } from "../basics/errors.ts";
import { formatRate } from "../basics/units.ts";
import { pointsOf } from "../core/points.ts";
import { startChild } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";
import { asMeasuredBy } from "../input/in-process.ts";
import { equip } from "../observe/equip.ts";
import { directoryFor, prepareFiles } from "../observe/prepare-files.ts";
import { readServices, startServices, stopServices } from "../observe/services.ts";
import { MAIN } from "../record/cell.ts";
import { median } from "../statistics/median.ts";
import type { Measurement } from "./measurements.ts";
import { measureRecovery } from "./recover.ts";
import { costsOnce, probeCell, probeFiles, type SelfSite } from "./self-site.ts";

const WINDOW_MS = 2_000;
/** So many times as much as the fastest driver needs a service that does nothing must be able to answer. */
const LEAST_TIMES = 2;
/** Units of work of the base a driver's server is slowed down from: few, so that the driver is some of its cost. */
const BASE_UNITS = 2;
const EXTRA_PERCENT = [3, 10, 50];

const rawReport = z.object({ asked: z.int().positive(), us: z.number().positive() });

/**
 * Whether services that do nothing leave the driver the limit: the most they can answer over what the fastest driver needs,
 * a core each. And whether a known cost added to a driver's server comes back, over HTTP and in its own process.
 */
export async function measureServices(site: SelfSite, suites: readonly Suite[]): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const suite of suites) {
    const probe = probeCell(suite);
    const supported = suite.supports?.(probe.point) ?? true;
    const serviceIn = (directory: string | null) => suite.services?.(probe.point, directory)[0];
    if (serviceIn(null)?.raw === undefined || site.interrupts.stopped()) continue;
    if (supported !== true) {
      measurements.push({ part: "services", name: suite.name, ratio: null, goal: null, note: supported });
      continue;
    }
    const { dataDirectory, interrupts: { onStart } } = site;
    const files = await prepareFiles({ dataDirectory, specs: probeFiles(suite), onStart });
    if (files.failed !== null) throw failure(files.failed, "bench data");
    const placed = directoryFor(suite.files?.(probe.point) ?? null, files);
    if ("failed" in placed) throw failure(placed.failed, "bench data");
    const own: SelfSite = { ...site, suite, files };
    measurements.push(await ceiling(own, serviceIn(placed.directory)!), ...await recoverOf(own));
  }
  return measurements;
}

/** The same work known to the server over HTTP, and to its own process where the suite has calls. */
async function recoverOf(site: SelfSite): Promise<Measurement[]> {
  const { suite, equipment } = site;
  const as = { part: "services", of: `${suite.name}: `, baseUnits: BASE_UNITS, extra: EXTRA_PERCENT };
  const overHttp = await measureRecovery(site, as);
  if (suite.calls === undefined || site.interrupts.stopped()) return overHttp;
  const generator = "in-process";
  const own = await equip({ generator, threads: null }, {}, [...equipment.runtimes.values()], equipment.hosts);
  const inProcess = { ...site, equipment: own, suite: asMeasuredBy(generator, suite) };
  return [...overHttp, ...await measureRecovery(inProcess, { ...as, of: `${suite.name} in process: ` })];
}

/** What a service can answer in a second of its CPU time, over what the server of the fastest driver asks in one of its own. */
async function ceiling(site: SelfSite, spec: ServiceSpec): Promise<Measurement> {
  const { suite, interrupts } = site;
  const name = `${suite.name}: ${spec.name}'s ceiling / the fastest driver's need`;
  const most: number[] = [];
  for (let round = 0; round < site.rounds && !interrupts.stopped(); round++) {
    site.say(`services: ${spec.name}'s ceiling, ${round + 1}/${site.rounds}`);
    most.push(await answeredBy(site, spec));
  }
  site.say(`services: what drivers of ${suite.name} need`);
  const cells = contrasts(suite);
  const costs = interrupts.stopped() ? null : await costsOnce(site, { cells, round: 0, windowMs: WINDOW_MS });
  const part = "services", goal = { least: LEAST_TIMES };
  if (costs === null || most.length === 0) return { part, name, ratio: null, goal, note: "no valid round" };
  const answered = median(most), needed = 1e9 / Math.min(...costs);
  const { at } = cells[costs.indexOf(Math.min(...costs))]!.point;
  const fastest = suite.axes.flatMap(({ name, role, format }) => role === "contrast" ? format(at[name]!) : []);
  return {
    part,
    name,
    ratio: answered / needed,
    goal,
    note: `${formatRate(answered)}/s of its core, ${formatRate(needed)}/s asked of one by ${fastest.join(" with ")}`,
  };
}

/** Every point of the suite's default contrasts, at the conditions of its probe. */
function contrasts(suite: Suite) {
  const { at } = probeCell(suite).point;
  const values = suite.axes.map(({ name, role, values }) => [name, role === "contrast" ? values : [at[name]!]]);
  return pointsOf(suite, Object.fromEntries(values)).points.map((point) => ({ point, label: MAIN }));
}

/** Asks a service by its raw client; gives what it answers in a second of its CPU time. Throws when either fails. */
async function answeredBy({ equipment, interrupts: { onStart } }: SelfSite, spec: ServiceSpec): Promise<number> {
  const site = { ...equipment, onStart };
  const services = await startServices([spec], site);
  try {
    const [file, ...args] = spec.raw!.map((word) =>
      word.replace("{wrk}", equipment.wrk.program).replace("{port}", String(services[0]!.server.service.port))
    );
    const used = await readServices(services, site);
    const client = startChild({ file: file!, args, cpus: equipment.placement.serverCpus, env: childEnvironment() });
    onStart(() => client.kill("SIGKILL"));
    await client.ended;
    const [use] = await used(1);
    const report = rawReport.safeParse(JSON.parse(client.stdout() || "null"));
    if (!report.success || use!.cpu_ns === null) throw new Error(client.stderrTail() || "its client told nothing");
    return report.data.asked / (use!.cpu_ns / 1e9);
  } finally {
    await stopServices(services, site);
  }
}
