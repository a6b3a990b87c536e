import type { RequestPlan } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { contradictionsOf, noSentence } from "../result/latency/contradictions.ts";
import type { Limit } from "../basics/limit.ts";
import { searchKnee } from "../result/latency/knee.ts";
import type { LatencyCell } from "../record/latency-record.ts";
import {
  asSearched,
  capacitySentence,
  connectionRows,
  kneeOf,
  kneeStepOf,
  tailRows,
  WINDOWS,
} from "../result/latency/rows.ts";
import { atRate } from "../judge/open-loop.ts";
import { createRandom, shuffle } from "../basics/random.ts";
import type { Observation, Window } from "../record/observation-record.ts";
import { median } from "../statistics/median.ts";
import { whyNot } from "../generators/refuse.ts";
import type { Equipment, NextWindow, PlannedWindow, Tool } from "./site.ts";
import { cellObserver, type CellRequest, nameOfCell } from "./warm-cell.ts";

/** Shares of a cell's own capacity at which its tails are looked at. */
export const SHARES = [0.5, 0.7, 0.9];
/** Connections of a closed loop, from one to more than most servers are asked for. */
export const CONNECTIONS = [1, 5, 10, 25, 50, 100, 200, 400];

/** What to measure of one cell. */
export interface LatencyRequest extends CellRequest {
  /** Keeps the rates. */
  readonly open: Tool;
  /** One rate for all cells besides those of each; null without. */
  readonly rate: number | null;
  /** What the knee keeps; null looks for none. */
  readonly limit: Limit | null;
  readonly rounds: number;
  readonly seed: number;
  say(text: string): void;
}

/**
 * Measures what somebody waits at fixed rates: tails at shares of the cell's own closed-loop rate, in rounds of a shuffled
 * order; then the knee, step by step, and the closed loop over its connections. Each on one warm server an observation.
 */
export async function conductLatency(request: LatencyRequest, equipment: Equipment): Promise<LatencyCell> {
  const { suite, cell, rate, limit, rounds, seed, say } = request;
  const requests = suite.requests(cell.point);
  const why = whyNot(request.open.generator, { ...requests, pace: atRate(requests, 1) });
  if (why !== null) throw usageError(`suite "${suite.name}": ${why}`, "choose a cell whose requests it can send");
  const { interrupts } = request;
  const observeCell = await cellObserver(request, equipment);
  const random = createRandom(seed);
  const observations: Observation[] = [];
  const make = async (round: number, nextWindow: NextWindow) => {
    const made = await observeCell(round, Math.floor(random() * 2 ** 32), nextWindow);
    observations.push(made);
    return made;
  };

  const names = [...SHARES.map((share) => `${Math.round(100 * share)} %`), ...(rate === null ? [] : ["common"])];
  for (let round = 0; round < rounds && !interrupts.stopped(); round++) {
    say(`tails, round ${round + 1} of ${rounds}`);
    const order = shuffle(names.flatMap((name) => [[name, "due"], [name, "sent"]] as const), random);
    await make(round, ({ load }, windows) => {
      const next = order[windows.length];
      if (next === undefined || load === null) return null;
      const [name, clock] = next;
      const share = SHARES[names.indexOf(name)];
      const perSecond = share === undefined ? rate! : share * load.requests_per_second;
      return {
        name: clock === "due" ? WINDOWS.tail(name) : WINDOWS.sender(name),
        ...openWindow(request, requests, perSecond, clock),
      };
    });
  }
  const rates = observations.flatMap(({ status, load }) =>
    status === "ok" && load !== null ? [load.requests_per_second] : []
  );
  const capacity = rates.length === 0 ? null : median(rates);
  const steps: ReturnType<typeof kneeStepOf>[] = [];
  if (limit !== null && capacity !== null && !interrupts.stopped()) {
    say(`knee at ${limit.text}`);
    const made = await make(rounds, (_measured, windows) => {
      const next = searchKnee(asSearched(stepsOf(windows, limit)), capacity);
      if (next.kind !== "try") return null;
      say(`knee at ${limit.text}: ${next.why}, ${next.perSecond} req/s`);
      return { name: WINDOWS.knee(windows.length, next.why), ...openWindow(request, requests, next.perSecond, "due") };
    });
    steps.push(...stepsOf(made.windows ?? [], limit));
  }
  if (!interrupts.stopped()) {
    say("closed loop over connections");
    await make(rounds + 1, (_measured, windows) => {
      const connections = CONNECTIONS[windows.length];
      if (connections === undefined) return null;
      const { wrk } = equipment;
      return {
        name: WINDOWS.connections(connections),
        tool: wrk,
        requests: { ...requests, pace: { closed: connections } },
        durationMs: request.durationMs,
      };
    });
  }
  const knee = limit === null || capacity === null ? null : kneeOf(steps, capacity);
  const found = {
    capacity_per_second: capacity,
    tails: tailRows(observations, names),
    knee,
    connections: connectionRows(observations, CONNECTIONS),
    observations,
  };
  const contradictions = contradictionsOf(found);
  return {
    cell,
    name: await nameOfCell(request),
    ...found,
    ...(contradictions.length === 0
      ? { sentence: capacitySentence(found, limit) }
      : { sentence: noSentence(contradictions), contradictions }),
  };
}

function openWindow(
  { open, durationMs }: LatencyRequest,
  requests: RequestPlan,
  perSecond: number,
  clock: "due" | "sent",
): Omit<PlannedWindow, "name"> {
  return {
    tool: open,
    requests: { ...requests, pace: atRate(requests, Math.max(1, Math.round(perSecond)), clock) },
    durationMs,
  };
}

/** Windows of a search as its steps, why each was made read back from its name. */
const stepsOf = (windows: readonly Window[], limit: Limit) =>
  windows.map((window) => kneeStepOf(window, limit, window.name.split(" ").at(-1)!));
