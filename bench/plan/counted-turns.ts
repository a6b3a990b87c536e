import type { Slice } from "../record/observation-record.ts";

/** One turn of a server that works for a moment before it is counted. */
export interface TurnTaken {
  readonly rampUpMs: number;
  readonly countedMs: number;
  /** Requests sent to it in the part that counts; null if that is not known. */
  readonly counted: number | null;
}

/**
 * Splits a server's work in its turns into the counted part and the ramp-up. In a turn it has the core for itself and fills it, so its CPU time is
 * proportional to the time that passed. Requests come from the generator; a turn without them does not count. Both
 * parts are whole requests and nanoseconds.
 *
 * @param whole what it did in all of these turns
 */
export function countedTurns(turns: readonly TurnTaken[], whole: Slice): Readonly<Record<"counted" | "rampUp", Slice>> {
  let [passedMs, countedMs, requests] = [0, 0, 0];
  for (const turn of turns) {
    passedMs += turn.rampUpMs + turn.countedMs;
    if (turn.counted === null) continue;
    countedMs += turn.countedMs;
    requests += turn.counted;
  }
  const counted = {
    requests: Math.min(Math.round(requests), whole.requests),
    cpu_ns: passedMs === 0 ? 0 : Math.round(whole.cpu_ns * (countedMs / passedMs)),
  };
  return {
    counted,
    rampUp: { requests: whole.requests - counted.requests, cpu_ns: whole.cpu_ns - counted.cpu_ns },
  };
}
