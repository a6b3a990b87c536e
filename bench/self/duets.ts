import { everyTwo } from "../core/families.ts";
import { sampleOf } from "../core/statistics/t-interval.ts";
import type { Measurement } from "./measurements.ts";
import { logRatioOnce, probeCell, runtimeAxisOf, type SelfSite, twinOf } from "./self-site.ts";

const WINDOW_MS = 2_000;
/** Engines that compile in helper threads vary more: seen 0.015 to 0.024 with Node, 0.004 to 0.015 without. */
const MOST = 0.05;

/** How well duets repeat, each runtime with each and with itself: the standard deviation of the log ratio over rounds. */
export async function measureDuets(site: SelfSite): Promise<Measurement[]> {
  const { suite, equipment } = site;
  const axis = runtimeAxisOf(suite);
  const cells = [...equipment.runtimes.keys()].map((runtime) => probeCell(suite, { [axis]: runtime }));
  const measurements: Measurement[] = [];
  for (const [a, b] of [...cells.map((cell) => [cell, twinOf(cell)] as const), ...everyTwo(cells)]) {
    const name = [a, b].map(({ point }) => String(point.at[axis])).join(" | ");
    const logRatios: number[] = [];
    for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
      site.say(`duets: ${name}, ${round + 1}/${site.rounds}`);
      const logRatio = await logRatioOnce(site, { cells: [a, b], round, windowMs: WINDOW_MS });
      if (logRatio !== null) logRatios.push(logRatio);
    }
    const sample = logRatios.length >= 2 ? sampleOf(logRatios) : null;
    measurements.push({
      part: "duets",
      name: `${name}: sd of the duets' log ratio`,
      ratio: sample?.sd ?? null,
      goal: { most: MOST },
      note: sample === null
        ? "too few valid duets"
        : `${logRatios.length} duets of ${WINDOW_MS / 1000} s, CPU per request of b / a ${
          Math.exp(sample.mean).toFixed(3)
        }`,
    });
  }
  return measurements;
}
