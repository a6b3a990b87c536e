import { counted } from "../../bench/basics/units.ts";
import { mean } from "../../bench/statistics/variation.ts";
import { chanceOfMean, type Measurement } from "./measurements.ts";
import { costsOnce, probeCell, runtimeAxisName, type SelfSite, twinOf } from "./self-site.ts";

const WINDOW_MS = 2_000;
/**
 * Units of work for each request of the base server: the other cost of a request is a few percent of the whole, and a
 * window still has a thousand requests.
 */
const BASE_UNITS = 8;
/** The share of these units in the server that shows how much of the base's cost is work. */
const FEWER = 0.25;
/**
 * Few connections, so that no reply takes 40 ms: from there on the kernel sends delayed acknowledgements, and the cost of a
 * request besides its work would grow with the work.
 */
const CONNECTIONS = 4;
const EXTRA_PERCENT = [3, 5, 10, 50, 100];
/** The largest good difference between the found and the added work, in percent of the base's cost. */
const MOST_OFF_POINTS = 1;

/**
 * Measures servers of known extra cost in an ensemble. Each repeats the same unit of work: the base eight times for each
 * request, the others a known share more. The other cost of a request is constant, and follows from a server with a quarter
 * of the work.
 */
export async function measureRecovery(site: SelfSite): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const runtime of site.equipment.runtimes.keys()) measurements.push(...await recover(runtime, site));
  return measurements;
}

async function recover(runtime: string, site: SelfSite): Promise<Measurement[]> {
  const base = probeCell(site.suite, { [runtimeAxisName(site.suite)]: runtime }, "base");
  const units = [1, FEWER, ...EXTRA_PERCENT.map((percent) => 1 + percent / 100)].map((times) => BASE_UNITS * times);
  const cells = units.map((_, n) => twinOf(base, `units-${n}`));
  const found: number[][] = [];
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    site.say(`recover: ${runtime}, ${round + 1}/${site.rounds}`);
    const costs = await costsOnce(site, {
      cells,
      round,
      windowMs: WINDOW_MS,
      work: Object.fromEntries(units.map((amount, n) => [`units-${n}`, amount])),
      connections: CONNECTIONS,
    });
    if (costs !== null) found.push(costs.map((cost) => Math.log(cost / costs[0]!)));
  }
  const ratioOf = (n: number) => Math.exp(mean(found.map((round) => round[n]!)));
  return EXTRA_PERCENT.map((percent, n): Measurement => {
    const part = "recover", name = `${runtime} with ${percent} % more work: points off`;
    if (found.length === 0) {
      return { part, name, ratio: null, goal: { most: MOST_OFF_POINTS }, note: "no valid round" };
    }
    // With a share w of work in the base's cost, its ratio to the server of fewer units is (1 - w) + w * fewer.
    const shareOf = (ratio: number) => (1 - ratio) / (1 - FEWER);
    const known = percent * shareOf(ratioOf(1));
    const percents = found.map((round) => round[n + 2]!);
    const seen = 100 * (ratioOf(n + 2) - 1);
    const off = found.map((round) => 100 * Math.expm1(round[n + 2]!) - percent * shareOf(Math.exp(round[1]!)));
    const figures = site.equipment.runtimes.size * EXTRA_PERCENT.length;
    return {
      part,
      name,
      ratio: Math.abs(seen - known),
      chance: Math.min(1, figures * chanceOfMean(off, MOST_OFF_POINTS)),
      goal: { most: MOST_OFF_POINTS },
      note:
        `added +${known.toFixed(2)} %, found ${signed(seen)} %, mean of ${counted(percents.length, "round")} from ` +
        `${percentOf(Math.min(...percents))} to ${percentOf(Math.max(...percents))} %`,
    };
  });
}

const signed = (percent: number) => `${percent < 0 ? "" : "+"}${percent.toFixed(2)}`;
const percentOf = (logRatio: number) => signed(100 * Math.expm1(logRatio));
