import type { RequestPlan } from "../generators/generator.ts";
import type { Measurement } from "./measurements.ts";
import { rateOnce, ratioOf, type SelfSite, spreadText, withServer } from "./self-site.ts";

/** What drawing ids costs the generator: its rate with the script over that with one URL, same do-nothing server. */
export async function measureCeiling(site: SelfSite): Promise<Measurement[]> {
  const runtime = site.equipment.runtimes.get("bun")!;
  const ids: RequestPlan = { kind: "ids", size: 1_000_000, dataSeed: 42, drawSeed: 1, missShare: 0 };
  const fixed: RequestPlan = { kind: "fixed", path: "/users/0123456789abcdef" };
  return await withServer(site, { runtime, app: "null" }, async (url) => {
    await rateOnce(site, url, fixed);
    const { ratio, ratios } = await ratioOf(site, () => rateOnce(site, url, ids), () => rateOnce(site, url, fixed));
    return [{
      part: "ceiling",
      name: "ceiling with ids over all users / with one URL",
      ratio,
      goal: { least: 0.95 },
      note: spreadText(ratios),
    }];
  });
}

/** What Hono costs: the app's health route over the runtime's bare server. */
export async function measureHono(site: SelfSite, directory: string): Promise<Measurement[]> {
  const health: RequestPlan = { kind: "fixed", path: "/health" };
  const measurements: Measurement[] = [];
  for (const [name, runtime] of site.equipment.runtimes) {
    if (site.interrupts.stopped()) break;
    site.say(`hono: ${name}`);
    const app = { runtime, app: "users", store: { name: "map", directory, engine: "native" } } as const;
    const once = (request: Parameters<typeof withServer>[1]) => () =>
      withServer(site, request, async (url) => {
        await rateOnce(site, url, health);
        return await rateOnce(site, url, health);
      });
    const { ratio, ratios } = await ratioOf(site, once(app), once({ runtime, app: "bare" }));
    measurements.push({
      part: "hono",
      name: `${name}: Hono health route / bare server`,
      ratio,
      goal: { least: 0.85 },
      note: spreadText(ratios),
    });
  }
  return measurements;
}
