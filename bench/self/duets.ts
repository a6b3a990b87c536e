import type { Cell } from "../core/cell.ts";
import { MAIN, type Plan } from "../core/plan.ts";
import { sampleOf } from "../core/statistics/t-interval.ts";
import { conductDuet } from "../trial/conduct-duet.ts";
import type { TrialSite } from "../trial/conduct-trial.ts";
import type { Measurement } from "./measurements.ts";
import { CONNECTIONS, type SelfSite } from "./self-site.ts";

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
  const { equipment } = site;
  const plan: Plan = {
    subjects: [],
    duets: [],
    rounds: site.rounds,
    durationMs: 2_000,
    duetMs: 2_000,
    warmupMs: 1_000,
    connections: CONNECTIONS,
    seed: 1,
    dataSeed: 42,
    missShare: 0,
    profile: "self",
    generator: equipment.generator.name,
    engine: "native",
  };
  const trialSite: TrialSite = {
    ...equipment,
    plan,
    runtime: (name) => equipment.runtimes.get(name)!,
    runtimeForCeiling: [...equipment.runtimes.values()][0]!,
    storeDirectory: directoryOf,
    onStart: site.interrupts.onStart,
  };
  const subject = (name: string) => {
    const [runtime, store] = name.split("/");
    const cell: Cell = { suite: "users", workload: "read", runtime: runtime!, store: store!, size: 10_000 };
    return { cell, label: MAIN };
  };
  const measurements: Measurement[] = [];
  for (const [a, b, most] of PAIRS) {
    const logRatios: number[] = [];
    for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
      site.say(`duets: ${a} | ${b}, ${round + 1}/${site.rounds}`);
      const duet = {
        kind: "duet",
        purpose: "pair",
        a: subject(a),
        b: subject(b),
        index: 0,
        round,
        drawSeed: round + 1,
      };
      const record = await conductDuet(duet as Parameters<typeof conductDuet>[0], trialSite);
      if (record.log_ratio !== null) logRatios.push(record.log_ratio);
    }
    const enough = logRatios.length >= 2;
    const sample = enough ? sampleOf(logRatios) : null;
    measurements.push({
      part: "duets",
      name: `${a} | ${b}: sd of the duets' log ratio`,
      ratio: sample?.sd ?? null,
      goal: { most },
      note: sample === null
        ? "too few valid duets"
        : `${logRatios.length} duets of 2 s, CPU per request of b / a ${Math.exp(sample.mean).toFixed(3)}`,
    });
  }
  return measurements;
}
