import type { Cell } from "../core/cell.ts";
import { MAIN, type Plan, type Subject } from "../core/plan.ts";
import { conductDuet } from "../trial/conduct-duet.ts";
import type { TrialSite } from "../trial/conduct-trial.ts";
import { type SelfSite, selfTrialSite } from "./self-site.ts";

/** Makes duets one at a time, outside any run. */
export interface DuetSite {
  /** ln(CPU per request of b / of a), or null when the duet is not valid. */
  logRatio(a: Subject, b: Subject, round: number): Promise<number | null>;
}

/** A subject such as `bun/map` at 10k users; units of extra work a request make it slower by a known amount. */
export function subjectOf(name: string, ballast = 0): Subject {
  const [runtime, store] = name.split("/");
  const cell: Cell = { suite: "users", workload: "read", runtime: runtime!, store: store!, size: 10_000 };
  return { cell, label: ballast === 0 ? MAIN : `ballast-${ballast}` };
}

/** Opens a place for duets; what is not said is as in other measurements of the bench. */
export function duetSite(
  site: SelfSite,
  directoryOf: TrialSite["storeDirectory"],
  { windowMs, ...own }: { windowMs: number } & Partial<Pick<Plan, "connections">>,
): DuetSite {
  const selfSite = selfTrialSite(site, directoryOf, windowMs);
  const trialSite: TrialSite = {
    ...selfSite,
    plan: { ...selfSite.plan, ...own },
    specialOf: (label) => ({ ballast: Number(/^ballast-([\d.]+)$/.exec(label)?.[1] ?? 0) }),
  };
  return {
    async logRatio(a, b, round) {
      const duet = { kind: "duet", purpose: "pair", a, b, index: 0, round, drawSeed: round + 1 } as const;
      return (await conductDuet(duet, trialSite)).log_ratio;
    },
  };
}
