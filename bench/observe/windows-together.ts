import { cpuNsAlong } from "./counters/cpu-time.ts";
import type { Slice } from "../record/observation-record.ts";
import { hasCpuTime, type MeasuredLoad } from "./measure-load.ts";
import type { ServersSample } from "../record/samples.ts";
import type { Turn } from "./turns.ts";
import type { WatchedLoad } from "./watched-load.ts";

/** A window of several servers: the moments of its readings, all between two turns, and the turns. */
interface WindowMoments {
  readonly begin: ServersSample;
  /** The driver's steady clock after the first reading, in milliseconds. */
  readonly beganMs: number;
  readonly headTurns: readonly Turn[];
  readonly part: ServersSample;
  readonly tailTurns: readonly Turn[];
  readonly end: ServersSample;
}

/** Time in ms after a stop until no reply is in flight. */
const STILL_MS = 10;

/** Returns the work of each server in the window after its load; of servers in turns, only of the turns that count. */
export function windowsTogether(watched: WatchedLoad, moments: WindowMoments): MeasuredLoad["windows"] {
  const { begin, beganMs, headTurns, part, tailTurns, end } = moments;
  const between = (n: number, from: ServersSample, to: ServersSample) => {
    const [before, after] = [watched.sentTo(n, from.atUs), watched.sentTo(n, to.atUs)];
    const requests = before === null || after === null ? 0 : Math.max(0, after - before);
    return { requests, cpu_ns: cpuNsAlong([from.servers[n]!, to.servers[n]!]) };
  };
  /** A moment of the driver on the generator's clock: both clocks were read when the window began. */
  const atUs = (ms: number) => begin.atUs + 1e3 * (ms - beganMs);
  const takenBy = (n: number, taken: readonly Turn[]): TurnTaken[] =>
    taken.filter(({ server }) => server === n).map(({ goesOnMs, countedFromMs, standsStillMs }) => {
      const from = watched.sentAtWork(n, atUs(countedFromMs));
      const to = watched.sentTo(n, atUs(standsStillMs + STILL_MS));
      return {
        rampUpMs: countedFromMs - goesOnMs,
        countedMs: standsStillMs - countedFromMs,
        counted: from === null || to === null ? null : Math.max(0, to - from),
      };
    });
  return begin.servers.map((_, n): MeasuredLoad["windows"][number] => {
    const [head, tail] = [between(n, begin, part), between(n, part, end)];
    const known = hasCpuTime(head) && hasCpuTime(tail);
    if (watched.turns === null || !known) {
      return {
        requests: Math.round(between(n, begin, end).requests),
        cpu_ns: known ? head.cpu_ns + tail.cpu_ns : null,
        parts: known ? [head, tail] : null,
      };
    }
    const [first, rest] = [countedTurns(takenBy(n, headTurns), head), countedTurns(takenBy(n, tailTurns), tail)];
    return {
      ...sumOf(first.counted, rest.counted),
      parts: [first.counted, rest.counted],
      lead_in: sumOf(first.rampUp, rest.rampUp),
    };
  });
}

const sumOf = (a: Slice, b: Slice): Slice => ({ requests: a.requests + b.requests, cpu_ns: a.cpu_ns + b.cpu_ns });

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
