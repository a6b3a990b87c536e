import { median } from "../core/statistics/median.ts";
import type { TrialSite } from "../trial/conduct-trial.ts";
import { duetSite, subjectOf } from "./duet-site.ts";
import type { Measurement } from "./measurements.ts";
import type { SelfSite } from "./self-site.ts";

/** A server that computes, as the added work does: what disturbs a machine slows sockets and arithmetic unlike. */
const SERVER = "bun/linear";
const WINDOW_MS = 2_000;
const EXTRA_PERCENT = [3, 5, 10, 50, 100];

/**
 * Whether duets find servers of known extra cost. The added work comes in units of one cost, run at a share of the requests,
 * so what a unit costs tells what any share of it costs. Every round measures the unit anew, and each share is held against
 * the unit of its own round.
 */
export async function measureRecovery(
  site: SelfSite,
  directoryOf: TrialSite["storeDirectory"],
): Promise<Measurement[]> {
  const duets = duetSite(site, directoryOf, WINDOW_MS);
  const extraOf = async (ballast: number, round: number, what: string): Promise<number | null> => {
    site.say(`recover: ${what}, ${round + 1}/${site.rounds}`);
    const logRatio = await duets.logRatio(subjectOf(SERVER), subjectOf(SERVER, ballast), round);
    return logRatio === null ? null : Math.expm1(logRatio);
  };
  const probes: { percent: number; ballast: number; shares: number[] }[] = [];
  const units: number[] = [];
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    const unit = await extraOf(1, round, "what a unit of work costs");
    if (unit === null || unit <= 0) continue;
    units.push(unit);
    if (probes.length === 0) {
      for (const percent of EXTRA_PERCENT) {
        probes.push({ percent, ballast: Number((percent / 100 / unit).toFixed(4)), shares: [] });
      }
    }
    for (const { percent, ballast, shares } of probes) {
      if (site.interrupts.stopped()) break;
      const extra = await extraOf(ballast, round, `about +${percent} %`);
      if (extra !== null) shares.push(extra / unit);
    }
  }
  if (probes.length === 0) {
    const missed = { part: "recover", name: "servers of known extra cost", ratio: null, goal: { most: 1 } };
    return [{ ...missed, note: "no valid duet to tell what a unit of work costs" }];
  }
  const unit = 100 * median(units);
  return probes.map(({ percent, ballast, shares }) => {
    const found = shares.length === 0 ? null : unit * median(shares);
    return {
      part: "recover",
      name: `${SERVER} with about ${percent} % more work: points off`,
      ratio: found === null ? null : Math.abs(found - unit * ballast),
      goal: { most: 1 },
      note: found === null
        ? "no valid duet"
        : `added +${(unit * ballast).toFixed(2)} %, found +${found.toFixed(2)} %, median of ${shares.length} duets`,
    };
  });
}
