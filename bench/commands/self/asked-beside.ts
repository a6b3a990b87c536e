import type { Oracle, RequestPlan } from "../../../suites/suite.ts";
import { askBeside } from "../../observe/ask-beside.ts";
import type { Measurement } from "./measurements.ts";
import { rateOnce, ratioOf, type SelfSite, spreadText } from "./self-site.ts";

/** Always the same request, whose reply is right whatever it is. */
const ASKS: Oracle = {
  alive: { name: "it answers", run: () => Promise.resolve(0) },
  checks: () => [{ name: "it answers again", run: (target) => target.send("GET", "/").then(() => 1) }],
};

/** What asking beside a load costs it: the rate of a server that does nothing while it is asked over that without. */
export async function measureAskedBeside(site: SelfSite, url: string, requests: RequestPlan): Promise<Measurement> {
  const from = site.equipment.hosts.load;
  let asked = 0;
  const once = async (beside: boolean) => {
    const asking = beside
      ? askBeside({ url, from, requests, oracle: ASKS, perSecond: null, windowMs: 1_000 }, 1, 10_000)
      : null;
    const rate = await rateOnce(site, url, requests, false);
    asked += (await asking?.end())?.asked ?? 0;
    return rate;
  };
  await once(true);
  const { ratio, ratios } = await ratioOf(site, () => once(true), () => once(false));
  return {
    part: "ceiling",
    name: "asked beside the load / not asked",
    ratio: asked === 0 ? null : ratio,
    goal: { least: 0.99 },
    note: spreadText(ratios),
  };
}
