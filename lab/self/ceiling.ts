import type { Oracle, Point, RequestPlan, Suite } from "../../suites/suite.ts";
import { requestKind } from "../../bench/plan/ceiling-requests.ts";
import { hasValues } from "../../bench/record/cell.ts";
import { nullServer } from "../../bench/generators/wrk.ts";
import { startServer, stopServer } from "../../bench/process/start-server.ts";
import { probeCell, rateOnce, ratioOf, type SelfSite, spreadText } from "./self-site.ts";
import { sampleReplies } from "../../bench/observe/sample-replies.ts";
import type { Measurement } from "./measurements.ts";

/**
 * Measures the cost of drawing requests in the generator, for each kind of request of each suite: its rate with the script
 * over its rate with one URL, against the same null server.
 */
export async function measureCeiling(site: SelfSite, suites: readonly Suite[]): Promise<Measurement[]> {
  const server = await startServer({
    spec: nullServer(site.equipment.wrk.program),
    runtime: null,
    cpus: site.equipment.placement.serverCpus,
    raised: site.equipment.priority.nice !== null,
    onStart: site.interrupts.onStart,
  });
  if (!("url" in server)) throw new Error("failed" in server ? server.failed.text : server.unsupported);
  const measurements: Measurement[] = [];
  try {
    const [plain] = suites.flatMap(kindsOf);
    if (plain !== undefined) measurements.push(await measureSampled(site, server.url, plain.requests));
    for (const suite of suites) {
      for (const { name, point, requests } of kindsOf(suite)) {
        if (site.interrupts.stopped()) break;
        site.say(`ceiling: ${suite.name}, ${name}`);
        const once = (plain: boolean) => () => rateOnce(site, server.url, requests, plain);
        await once(false)();
        const { ratio, ratios } = await ratioOf(site, once(false), once(true));
        const expected = suite.expectations?.find((each) => each.kind === "ceiling" && hasValues(point.at, each.at));
        measurements.push({
          part: "ceiling",
          name: `${suite.name}: ${name} / one URL`,
          ratio,
          goal: expected?.kind === "ceiling" ? { least: expected.least } : null,
          note: spreadText(ratios),
        });
      }
    }
  } finally {
    await stopServer(server);
  }
  return measurements;
}

/** A kind of request at the suite's probe point, named by the value that makes it. */
interface Kind {
  readonly name: string;
  readonly point: Point;
  readonly requests: RequestPlan;
}

/** All kinds of request of a suite: its probe point with each value of each axis. */
function kindsOf(suite: Suite): Kind[] {
  const kinds = new Map<string, Kind>();
  const add = (name: string, point: Point) => {
    if (suite.supports !== undefined && suite.supports(point) !== true) return;
    const requests = suite.requests(point);
    // Messages are drawn by no URL: their generator's ceiling is measured in each run.
    if (requests.websocket !== undefined) return;
    const key = requestKind(requests);
    if (!kinds.has(key)) kinds.set(key, { name, point, requests });
  };
  for (const axis of suite.axes) {
    for (const value of [...axis.values, ...axis.others ?? []]) {
      const { point } = probeCell(suite, { [axis.name]: value });
      add(`${axis.title.toLowerCase()} ${axis.format(value)}`, point);
    }
  }
  return [...kinds.values()];
}

/** An oracle of one request that accepts any reply. */
const ASKS: Oracle = {
  alive: { name: "it answers", run: () => Promise.resolve(0) },
  checks: () => [{ name: "it answers again", run: (target) => target.send("GET", "/").then(() => 1) }],
};

/** Measures the cost of checks during a load: the rate of a null server with them over its rate without. */
async function measureSampled(site: SelfSite, url: string, requests: RequestPlan): Promise<Measurement> {
  const from = site.equipment.hosts.load;
  let checks = 0;
  const once = async (checked: boolean) => {
    const asking = checked
      ? sampleReplies({ url, from, requests, oracle: ASKS, loads: 0, perSecond: null, windowMs: 1_000 }, 1, 10_000)
      : null;
    const rate = await rateOnce(site, url, requests, false);
    checks += (await asking?.end())?.asked ?? 0;
    return rate;
  };
  await once(true);
  const { ratio, ratios } = await ratioOf(site, () => once(true), () => once(false));
  return {
    part: "ceiling",
    name: "sampled during the load / not sampled",
    ratio: checks === 0 ? null : ratio,
    goal: { least: 0.99 },
    note: spreadText(ratios),
  };
}
