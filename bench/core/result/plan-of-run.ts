import type { Plan } from "../plan.ts";
import type { RunRecord } from "./run-record.ts";

/** The plan as run.json keeps it. */
export function planRecord(plan: Plan, threads: number): RunRecord["plan"] {
  const subject = ({ cell, label }: Plan["subjects"][number]) => ({ cell: { ...cell }, label });
  return {
    profile: plan.profile,
    subjects: plan.subjects.map(subject),
    duets: plan.duets.map(({ purpose, a, b }) => ({ purpose, a: subject(a), b: subject(b) })),
    rounds: plan.rounds,
    duration_ms: plan.durationMs,
    duet_ms: plan.duetMs,
    warmup_ms: plan.warmupMs,
    connections: plan.connections,
    generator: plan.generator,
    generator_threads: threads,
    seed: plan.seed,
    data_seed: plan.dataSeed,
    miss_share: plan.missShare,
    engine: plan.engine,
  };
}

/** The plan of a run.json, to be continued or repeated. */
export function planOfRun({ plan }: RunRecord): Plan {
  return {
    profile: plan.profile,
    subjects: plan.subjects,
    duets: plan.duets,
    rounds: plan.rounds,
    durationMs: plan.duration_ms,
    duetMs: plan.duet_ms,
    warmupMs: plan.warmup_ms,
    connections: plan.connections,
    generator: plan.generator,
    seed: plan.seed,
    dataSeed: plan.data_seed,
    missShare: plan.miss_share,
    engine: plan.engine,
  };
}
