/** The axis `rate`: its values, the rounds of a plan that has it, and the windows of each round. */
import { CLOSED_LOOP, RATE } from "../record/cell.ts";
import type { Value } from "../../suites/suite.ts";
import { createRandom, shuffle } from "../basics/random.ts";
import { parseLimit } from "../basics/units.ts";
import type { LatencyCell } from "../record/latency-schema.ts";
import type { Member, Observation, Window } from "../record/observation-record.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { medianOfKnown } from "../statistics/median.ts";
import { kneeOf, kneeStepOf, searchKnee } from "./knee.ts";

/** The axis of rates, along which windows of a plan are measured. */
export type RateAxis = NonNullable<Plan["further"]>;

/** The rates of a plan: requests per second, or shares of the capacity such as `50%`. */
export const ratesOf = ({ axes }: Pick<Plan, "axes">): Value[] =>
  axes.find(({ name }) => name === RATE)?.values.map(({ value }) => value).filter((value) => value !== CLOSED_LOOP) ??
    [];

/** Rounds that an axis adds to those at rates: one that searches for the knee. */
export const roundsAfterRates = ({ limit }: Pick<RateAxis, "limit">): number => limit === null ? 0 : 1;

/** Requests above the quantile that a window, or all of a cell's, shall have; and the longest that windows become for it. */
const LEAST_ABOVE = 100, MOST_MS = 60_000;

/**
 * Returns the window at a rate in milliseconds, whole seconds: as planned, or longer where so few requests are due that a
 * quantile would rest on a handful. A step of a search is judged by its own window, all others by their cell's.
 */
export function rateWindowMs(
  { duration_ms, rounds }: Pick<Plan, "duration_ms" | "rounds">,
  axis: RateAxis,
  round: number,
  perSecond: number,
): number {
  const searches = isSearch({ rounds }, axis, round);
  const share = searches ? parseLimit(axis.limit!)!.share : 0.99;
  const windows = searches ? 1 : rounds - roundsAfterRates(axis);
  const wanted = 1_000 * Math.ceil(LEAST_ABOVE / Math.max(1e-9, 1 - share) / perSecond / windows);
  return Math.max(duration_ms, Math.min(MOST_MS, wanted));
}

/** Milliseconds of a window at each rate of a plan; at a share of the capacity, which is unknown, the least. */
export const windowLengths = (plan: Pick<Plan, "axes" | "duration_ms" | "rounds">, axis: RateAxis): readonly number[] =>
  ratesOf(plan).map((rate) => typeof rate === "number" ? rateWindowMs(plan, axis, 0, rate) : plan.duration_ms);

/** True for the round that searches for the knee; all others, spare ones too, are at rates. */
export const isSearch = ({ rounds }: Pick<Plan, "rounds">, { limit }: RateAxis, round: number): boolean =>
  limit !== null && round === rounds - 1;

/** True if a window has these values on its axes, and no others. */
export const isWindowAt = (at: Window["at"]) => (window: Pick<Window, "at">): boolean =>
  Object.keys(window.at).length === Object.keys(at).length &&
  Object.entries(at).every(([axis, value]) => window.at[axis] === value);

/** An observation of a closed loop, with the windows after it. */
export interface ClosedLoop extends Pick<Observation, "round" | "status" | "bound" | "load"> {
  readonly windows?: readonly Window[] | undefined;
}

/** Returns the median of a server's closed-loop rate over the rounds at rates; null without a sound one. */
export function capacityIn(plan: Pick<Plan, "rounds">, axis: RateAxis, ofCell: readonly ClosedLoop[]): number | null {
  const sound = ofCell.filter(({ round, status }) => !isSearch(plan, axis, round) && status === "ok");
  return medianOfKnown(sound.map(({ load }) => load?.requests_per_second));
}

/** Returns the capacity of a server, and the knee that its search found, or why that is open. */
export function searchedIn(
  plan: Pick<Plan, "rounds">,
  axis: RateAxis,
  ofCell: readonly ClosedLoop[],
): Pick<LatencyCell, "capacity_per_second" | "knee"> {
  const limit = axis.limit === null ? undefined : parseLimit(axis.limit);
  const capacity = capacityIn(plan, axis, ofCell);
  if (limit === undefined || capacity === null) return { capacity_per_second: capacity, knee: null };
  const windows = ofCell.find(({ round }) => isSearch(plan, axis, round))?.windows ?? [];
  return { capacity_per_second: capacity, knee: kneeOf(windows.map((window) => kneeStepOf(window, limit)), capacity) };
}

/** A window at a rate before it is measured: its place on the axes, and its requests per second. */
export interface RateWindow {
  readonly at: Window["at"];
  readonly perSecond: number;
  readonly member?: number;
}

/** The figures that choose the next window of an observation. */
interface KnownRates {
  /** Rate of the observation's closed loop. */
  readonly closedRate: number;
  /** The median over the rounds at rates; null if it is unknown. */
  readonly capacity: number | null;
  /** The observation's windows so far. */
  readonly windows: readonly Window[];
}

/** Returns the next window along the axis `rate`; null if an observation has all of them. */
export function nextRateWindow(
  plan: Pick<Plan, "axes" | "rounds">,
  axis: RateAxis,
  { round, draw_seed }: Pick<PlannedObservation, "round" | "draw_seed">,
  { closedRate, capacity, windows }: KnownRates,
): RateWindow | null {
  if (!isSearch(plan, axis, round)) {
    const rate = shuffle(ratesOf(plan), createRandom(draw_seed))[windows.length];
    return rate === undefined ? null : { at: { rate }, perSecond: perSecondOf(rate, closedRate) };
  }
  const limit = parseLimit(axis.limit!);
  if (capacity === null || limit === undefined) return null;
  const next = searchKnee(windows.map((window) => kneeStepOf(window, limit)), capacity);
  return next.kind === "try" ? { at: { step: windows.length, knee: next.why }, perSecond: next.perSecond } : null;
}

/**
 * Returns the windows of servers that are compared, in the order they are made: each rate with a window of each server.
 * Shares are of the slowest closed loop, so that a rate is the same for all.
 *
 * @param order places of the servers, another one from round to round
 * @param members have a closed loop each; one without has no windows
 */
export function windowsByTurns(
  plan: Pick<Plan, "axes">,
  { draw_seed, order }: Pick<Observation, "draw_seed" | "order">,
  members: readonly Pick<Member, "alone">[],
): RateWindow[] {
  const closedRates = members.map(({ alone }) => alone?.load?.requests_per_second ?? null);
  const slowest = Math.min(...closedRates.filter((rate) => rate !== null));
  return shuffle(ratesOf(plan), createRandom(draw_seed)).flatMap((rate) =>
    order.filter((member) => closedRates[member] !== null)
      .map((member) => ({ at: { rate }, perSecond: perSecondOf(rate, slowest), member }))
  );
}

/** Requests per second of a rate, where a share is of the closed loop's rate. */
function perSecondOf(rate: Value, closedRate: number): number {
  return typeof rate === "number" ? rate : Math.max(1, Math.round(Number.parseFloat(rate) / 100 * closedRate));
}
