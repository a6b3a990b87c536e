import { createRandom, shuffle } from "../basics/random.ts";
import { parseLimit } from "../basics/units.ts";
import type { Window } from "../record/observation-record.ts";
import type { FurtherAxis, Plan, PlannedObservation } from "../record/plan.ts";
import { searchKnee } from "./knee.ts";
import { asSearched, kneeStepOf } from "./knee-step.ts";

/** The axis `rate` of a plan. */
export type RateAxis = Extract<FurtherAxis, { axis: "rate" }>;

/** Rounds after those of the tails: one searches for the knee, one goes over connections. */
export const ROUNDS_AFTER_TAILS = 2;

/** Whether a round of a plan with the axis `rate` looks at tails. */
export const isTailRound = ({ rounds }: Pick<Plan, "rounds">, round: number): boolean =>
  round < rounds - ROUNDS_AFTER_TAILS;

/** The values of the axis that tails are looked at: shares of the cell's own rate, and the one of all. */
export const ratesAlong = ({ shares, rate }: RateAxis): string[] => [
  ...shares.map((share) => `${Math.round(100 * share)} %`),
  ...(rate === null ? [] : ["common"]),
];

/** A further window before it is measured: where it stands, and at what pace. */
export interface RateWindow {
  readonly at: Window["at"];
  readonly pace: { readonly perSecond: number } | { readonly connections: number };
}

/** What is known when the next window of an observation is chosen. */
interface KnownRates {
  /** Of the closed loop that the observation began with. */
  readonly closedRate: number;
  /** The median over the tails' rounds; null where none is known. */
  readonly capacity: number | null;
  /** The observation's windows so far. */
  readonly windows: readonly Window[];
}

/** The next window along the axis `rate`; null where an observation has all of them. */
export function nextRateWindow(
  { rounds }: Pick<Plan, "rounds">,
  axis: RateAxis,
  { round, draw_seed }: Pick<PlannedObservation, "round" | "draw_seed">,
  { closedRate, capacity, windows }: KnownRates,
): RateWindow | null {
  if (isTailRound({ rounds }, round)) {
    const names = ratesAlong(axis);
    const rate = shuffle(names, createRandom(draw_seed))[windows.length];
    if (rate === undefined) return null;
    const share = axis.shares[names.indexOf(rate)];
    const perSecond = share === undefined ? axis.rate! : share * closedRate;
    return { at: { rate, clock: "due" }, pace: { perSecond: Math.max(1, Math.round(perSecond)) } };
  }
  if (round === rounds - 1) {
    const connections = axis.connections[windows.length];
    return connections === undefined ? null : { at: { connections }, pace: { connections } };
  }
  const limit = parseLimit(axis.limit);
  if (capacity === null || limit === undefined) return null;
  const next = searchKnee(asSearched(windows.map((window) => kneeStepOf(window, limit))), capacity);
  if (next.kind !== "try") return null;
  const pace = { perSecond: Math.max(1, Math.round(next.perSecond)) };
  return { at: { step: windows.length, knee: next.why }, pace };
}
