/** The axis `rate`: its values, the rounds of a plan that has it, and the windows of each round. */
import { CLOSED, RATE } from "../record/cell.ts";
import type { Value } from "../../suites/suite.ts";
import { createRandom, shuffle } from "../basics/random.ts";
import { parseLimit } from "../basics/units.ts";
import type { Window } from "../record/observation-record.ts";
import type { FurtherAxis, Plan, PlannedObservation } from "../record/plan.ts";
import { searchKnee } from "./knee.ts";
import { asSearched, kneeStepOf } from "./knee-step.ts";

/** The further axis `rate` of a plan. */
export type RateAxis = Extract<FurtherAxis, { axis: "rate" }>;

/** A plan with the further axis `rate`, or the parts of it that say what a round is. */
type RatePlan = Pick<Plan, "axes" | "rounds">;

/** The rates of a plan: requests per second, or shares of the capacity such as `50%`. */
export const ratesOf = ({ axes }: Pick<Plan, "axes">): Value[] =>
  axes.find(({ name }) => name === RATE)?.values.map(({ value }) => value).filter((value) => value !== CLOSED) ?? [];

/** Rounds that an axis adds to those at rates: one searches for the knee, one goes over connections. */
export const roundsAfterRates = ({ limit, connections }: Pick<RateAxis, "limit" | "connections">): number =>
  Number(limit !== null) + Number(connections.length > 0);

/** The kind of a round. Spare rounds are at rates. */
export function roundKind(
  { rounds }: Pick<Plan, "rounds">,
  axis: RateAxis,
  round: number,
): "rates" | "search" | "connections" {
  const first = rounds - roundsAfterRates(axis);
  if (round < first || round >= rounds) return "rates";
  return axis.limit !== null && round === first ? "search" : "connections";
}

/** A further window before it is measured: its place on the axes, and its pace. */
export interface RateWindow {
  readonly at: Window["at"];
  readonly pace: { readonly perSecond: number } | { readonly connections: number };
}

/** The figures that choose the next window of an observation. */
interface KnownRates {
  /** Rate of the closed loop that the observation began with. */
  readonly closedRate: number;
  /** The median over the rounds at rates; null if it is unknown. */
  readonly capacity: number | null;
  /** The observation's windows so far. */
  readonly windows: readonly Window[];
}

/** Returns the next window along the axis `rate`; null if an observation has all of them. */
export function nextRateWindow(
  plan: RatePlan,
  axis: RateAxis,
  { round, draw_seed }: Pick<PlannedObservation, "round" | "draw_seed">,
  { closedRate, capacity, windows }: KnownRates,
): RateWindow | null {
  const kind = roundKind(plan, axis, round);
  if (kind === "rates") {
    const rate = shuffle(ratesOf(plan), createRandom(draw_seed))[windows.length];
    if (rate === undefined) return null;
    return { at: { rate }, pace: { perSecond: perSecondOf(rate, closedRate) } };
  }
  if (kind === "connections") {
    const connections = axis.connections[windows.length];
    return connections === undefined ? null : { at: { connections }, pace: { connections } };
  }
  const limit = parseLimit(axis.limit!);
  if (capacity === null || limit === undefined) return null;
  const next = searchKnee(asSearched(windows.map((window) => kneeStepOf(window, limit))), capacity);
  if (next.kind !== "try") return null;
  const pace = { perSecond: Math.max(1, Math.round(next.perSecond)) };
  return { at: { step: windows.length, knee: next.why }, pace };
}

/** Requests per second of a rate, where a share is of the closed loop's rate. */
function perSecondOf(rate: Value, closedRate: number): number {
  return typeof rate === "number" ? rate : Math.max(1, Math.round(Number.parseFloat(rate) / 100 * closedRate));
}
