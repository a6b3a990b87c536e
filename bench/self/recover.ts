import { mean } from "../core/statistics/variation.ts";
import type { TrialSite } from "../trial/conduct-trial.ts";
import { duetSite, subjectOf } from "./duet-site.ts";
import type { Measurement } from "./measurements.ts";
import type { SelfSite } from "./self-site.ts";

const SERVER = "bun/map";
const WINDOW_MS = 2_000;
const EXTRA_PERCENT = [3, 5, 10, 50, 100];

/**
 * Whether duets find servers of known extra cost. The added work comes in units of one cost, run at a share of the requests:
 * once duets have told what one unit a request costs, any other share has a known cost.
 */
export async function measureRecovery(
  site: SelfSite,
  directoryOf: TrialSite["storeDirectory"],
): Promise<Measurement[]> {
  const duets = duetSite(site, directoryOf, WINDOW_MS);
  const extraOf = async (ballast: number, what: string): Promise<number | null> => {
    const logRatios: number[] = [];
    for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
      site.say(`recover: ${what}, ${round + 1}/${site.rounds}`);
      const logRatio = await duets.logRatio(subjectOf(SERVER), subjectOf(SERVER, ballast), round);
      if (logRatio !== null) logRatios.push(logRatio);
    }
    return logRatios.length === 0 ? null : Math.expm1(mean(logRatios));
  };
  const calibrated = await extraOf(1, "what a unit of work costs");
  if (calibrated === null || calibrated <= 0) {
    return [{
      part: "recover",
      name: "servers of known extra cost",
      ratio: null,
      goal: { most: 1 },
      note: "no valid duet to calibrate by",
    }];
  }
  const measurements: Measurement[] = [];
  for (const percent of EXTRA_PERCENT) {
    const ballast = Number((percent / 100 / calibrated).toFixed(5));
    const found = await extraOf(ballast, `+${percent} %`);
    measurements.push({
      part: "recover",
      name: `${SERVER} with ${percent} % more work: points off`,
      ratio: found === null ? null : Math.abs(100 * found - percent),
      goal: { most: 1 },
      note: found === null
        ? "no valid duet"
        : `found +${(100 * found).toFixed(2)} % with ${ballast} units of work a request, mean of ${site.rounds} duets`,
    });
  }
  return measurements;
}
