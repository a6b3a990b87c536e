import { mean } from "../core/statistics/variation.ts";
import type { Measurement } from "./measurements.ts";
import { logRatioOnce, probeCell, runtimeAxisOf, type SelfSite, twinOf } from "./self-site.ts";

const WINDOW_MS = 4_000;
/**
 * Units of work at each request of the server the others are held against: so much that what a request costs besides is a
 * few per cent of the whole, and yet a thousand requests and more fit a window.
 */
const BASE_UNITS = 8;
/** Units at each request of the server that tells how much of the base's cost is work. */
const FEWER_UNITS = 2;
/**
 * So few that no reply takes 40 ms. One that does costs the server an acknowledgement sent for itself, and what a request
 * costs besides its work would grow with the work.
 */
const CONNECTIONS = 10;
const EXTRA_PERCENT = [3, 5, 10, 50, 100];

/**
 * Whether duets find servers of known extra cost. Each does the same unit of work, a known number of times: the base eight
 * times a request, the others that much and a known share more. What a request costs besides its work does not grow; how
 * much that is follows from a server that does a quarter of the work.
 */
export async function measureRecovery(site: SelfSite): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const runtime of site.equipment.runtimes.keys()) measurements.push(...await recover(runtime, site));
  return measurements;
}

async function recover(server: string, site: SelfSite): Promise<Measurement[]> {
  const base = probeCell(site.suite, { [runtimeAxisOf(site.suite)]: server }, "base");
  const overBase = async (units: number, round: number, what: string): Promise<number[]> => {
    if (site.interrupts.stopped()) return [];
    site.say(`recover: ${server} with ${what}, ${round + 1}/${site.rounds}`);
    const logRatio = await logRatioOnce(site, {
      cells: [base, twinOf(base, "other")],
      round,
      windowMs: WINDOW_MS,
      work: { base: BASE_UNITS, other: units },
      connections: CONNECTIONS,
    });
    return logRatio === null ? [] : [logRatio];
  };
  const fewer: number[] = [];
  const probes = EXTRA_PERCENT.map((percent) => ({ percent, logRatios: [] as number[] }));
  for (let round = 0; round < site.rounds; round++) {
    fewer.push(...await overBase(FEWER_UNITS, round, "a quarter of the work"));
    for (const { percent, logRatios } of probes) {
      logRatios.push(...await overBase(BASE_UNITS * (1 + percent / 100), round, `${percent} % more work`));
    }
  }
  return probes.map(({ percent, logRatios }) => {
    const name = `${server} with ${percent} % more work: points off`;
    if (fewer.length === 0 || logRatios.length === 0) {
      return { part: "recover", name, ratio: null, goal: { most: 1 }, note: "no valid duet" };
    }
    // With a share w of work in the base's cost, its ratio to the server of fewer units is (1 - w) + w * fewer / base.
    const shareOfWork = (1 - meanRatio(fewer)) / (1 - FEWER_UNITS / BASE_UNITS);
    const known = percent * shareOfWork;
    const found = 100 * (meanRatio(logRatios) - 1);
    return {
      part: "recover",
      name,
      ratio: Math.abs(found - known),
      goal: { most: 1 },
      note: `added +${known.toFixed(2)} %, found +${found.toFixed(2)} %, mean of ${logRatios.length} duets from ` +
        `+${percentOf(Math.min(...logRatios))} to +${percentOf(Math.max(...logRatios))} %`,
    };
  });
}

const percentOf = (logRatio: number) => (100 * Math.expm1(logRatio)).toFixed(2);

function meanRatio(logRatios: readonly number[]): number {
  return Math.exp(mean(logRatios));
}
