import type { Point, RequestPlan, Suite } from "../../../suites/suite.ts";
import { requestKind } from "../../plan/plan-parts.ts";
import { matches } from "../../record/cell.ts";
import { nullServer } from "../../generators/null-server.ts";
import { startServer, stopServer } from "../../process/start-server.ts";
import { measureAskedBeside } from "./asked-beside.ts";
import type { Measurement } from "./measurements.ts";
import { probeCell, rateOnce, ratioOf, type SelfSite, spreadText } from "./self-site.ts";

/**
 * What drawing requests costs the generator, for each kind of request of each suite: its rate with the script over that
 * with one URL, against the same server that does nothing.
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
    if (plain !== undefined) measurements.push(await measureAskedBeside(site, server.url, plain.requests));
    for (const suite of suites) {
      for (const { name, point, requests } of kindsOf(suite)) {
        if (site.interrupts.stopped()) break;
        site.say(`ceiling: ${suite.name}, ${name}`);
        const once = (plain: boolean) => () => rateOnce(site, server.url, requests, plain);
        await once(false)();
        const { ratio, ratios } = await ratioOf(site, once(false), once(true));
        const expected = suite.expectations?.find((each) => each.kind === "ceiling" && matches(point.at, each.at));
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

/** A kind of request by what tells it from the suite's other ones, at the suite's probe point. */
interface Kind {
  readonly name: string;
  readonly point: Point;
  readonly requests: RequestPlan;
}

/** Every kind of request of a suite: the probe point with each single value of each axis in its turn. */
export function kindsOf(suite: Suite): Kind[] {
  const kinds = new Map<string, Kind>();
  const add = (name: string, point: Point) => {
    if (suite.supports !== undefined && suite.supports(point) !== true) return;
    const requests = suite.requests(point);
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
