import type { Observation } from "../record/observation-record.ts";

/** Milliseconds of a run by activity. */
interface TimeSpent {
  readonly all: number;
  /** Windows that comparisons rest on: turns that count, and windows alone where nothing was measured together. */
  readonly counted: number;
  /** Ramp-ups of continued servers, before their turns count. */
  readonly rampUps: number;
  /** Loads until servers were warm, alone and together. */
  readonly warmUps: number;
  /** Windows of servers alone, which give rates and latencies. */
  readonly alone: number;
  /** Starts of servers. */
  readonly starts: number;
}

/** Returns how a run's time was spent; the remainder went into checks, idle watches and waiting. */
export function timeSpent(lines: readonly Observation[]): TimeSpent {
  const sum = (of: (line: Observation) => number) => lines.reduce((total, line) => total + of(line), 0);
  const each = (of: (member: Observation["members"][number]) => number) =>
    sum(({ members }) => members.reduce((total, member) => total + of(member), 0));
  const isTogether = lines.some(({ kind }) => kind === "ensemble");
  const ofOne = (line: Observation) => line.kind === "ensemble" ? 0 : (line.load?.duration_us ?? 0) / 1e3;
  const together = sum((line) =>
    line.kind !== "ensemble" || line.status !== "ok"
      ? 0
      : line.members.reduce((total, { cpu_ns }) => total + (cpu_ns ?? 0) / 1e6, 0)
  );
  return {
    all: sum(({ wall_ms }) => wall_ms),
    counted: isTogether ? together : sum(ofOne),
    rampUps: each(({ lead_in }) => (lead_in?.cpu_ns ?? 0) / 1e6),
    warmUps: sum(({ warmup }) => (warmup?.duration_us ?? 0) / 1e3) +
      each(({ warmup }) => (warmup?.duration_us ?? 0) / 1e3),
    alone: (isTogether ? sum(ofOne) : 0) + each(({ alone }) => (alone?.load?.duration_us ?? 0) / 1e3),
    starts: each(({ server }) => server?.startup_ms ?? 0),
  };
}
