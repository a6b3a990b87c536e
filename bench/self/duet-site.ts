import type { Cell } from "../core/cell.ts";
import { MAIN, type Plan, type Subject } from "../core/plan.ts";
import { conductDuet } from "../trial/conduct-duet.ts";
import type { TrialSite } from "../trial/conduct-trial.ts";
import { CONNECTIONS, type SelfSite } from "./self-site.ts";

/** Makes duets one at a time, outside any run. */
export interface DuetSite {
  /** ln(CPU per request of b / of a), or null when the duet is not valid. */
  logRatio(a: Subject, b: Subject, round: number): Promise<number | null>;
}

/** A subject such as `bun/map` at 10k users; `steps` of extra work make it slower by a known amount. */
export function subjectOf(name: string, steps = 0): Subject {
  const [runtime, store] = name.split("/");
  const cell: Cell = { suite: "users", workload: "read", runtime: runtime!, store: store!, size: 10_000 };
  return { cell, label: steps === 0 ? MAIN : `ballast-${steps}` };
}

/** Opens a place for duets with windows of a length. */
export function duetSite(site: SelfSite, directoryOf: TrialSite["storeDirectory"], windowMs: number): DuetSite {
  const { equipment } = site;
  const plan: Plan = {
    subjects: [],
    duets: [],
    rounds: 1,
    durationMs: windowMs,
    duetMs: windowMs,
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
    specialOf: (label) => ({ ballast: Number(/^ballast-(\d+)$/.exec(label)?.[1] ?? 0) }),
    onStart: site.interrupts.onStart,
  };
  return {
    async logRatio(a, b, round) {
      const duet = { kind: "duet", purpose: "pair", a, b, index: 0, round, drawSeed: round + 1 } as const;
      return (await conductDuet(duet, trialSite)).log_ratio;
    },
  };
}
