import { sampleOf } from "../core/statistics/t-interval.ts";
import type { TrialSite } from "../trial/conduct-trial.ts";
import { duetSite, subjectOf } from "./duet-site.ts";
import type { Measurement } from "./measurements.ts";
import type { SelfSite } from "./self-site.ts";

const WINDOW_MS = 2_000;
const PAIRS = [
  ["bun/sqlite", "deno/sqlite", 0.02],
  ["bun/map", "deno/map", 0.02],
  ["bun/sqlite", "bun/sqlite", 0.02],
  ["node/sqlite", "bun/sqlite", 0.05],
  ["node/map", "deno/map", 0.05],
  ["node/map", "node/map", 0.05],
] as const;

/** How well duets repeat: the standard deviation of the log ratio over rounds. */
export async function measureDuets(site: SelfSite, directoryOf: TrialSite["storeDirectory"]): Promise<Measurement[]> {
  const duets = duetSite(site, directoryOf, { windowMs: WINDOW_MS });
  const measurements: Measurement[] = [];
  for (const [a, b, most] of PAIRS) {
    const logRatios: number[] = [];
    for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
      site.say(`duets: ${a} | ${b}, ${round + 1}/${site.rounds}`);
      const logRatio = await duets.logRatio(subjectOf(a), subjectOf(b), round);
      if (logRatio !== null) logRatios.push(logRatio);
    }
    const sample = logRatios.length >= 2 ? sampleOf(logRatios) : null;
    measurements.push({
      part: "duets",
      name: `${a} | ${b}: sd of the duets' log ratio`,
      ratio: sample?.sd ?? null,
      goal: { most },
      note: sample === null
        ? "too few valid duets"
        : `${logRatios.length} duets of ${WINDOW_MS / 1000} s, CPU per request of b / a ${
          Math.exp(sample.mean).toFixed(3)
        }`,
    });
  }
  return measurements;
}
