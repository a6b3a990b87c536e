import { percent } from "./percent.ts";
import { type Interval, sampleOf, tInterval } from "./statistics/t-interval.ts";
import { thresholds } from "./statistics/thresholds.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** One server of an observation: what it answered and used in the window's first third and in the rest. */
export interface InWindow {
  readonly parts: readonly { readonly requests: number; readonly cpu_ns: number }[] | null;
}

/** How the ratio of a pair measured together went within its windows, over all its rounds. */
export interface DuetSteadiness {
  readonly a: string;
  readonly b: string;
  /** Rounds that say something. */
  readonly rounds: number;
  /** What the ratio of CPU per request (b over a) changed by after the window's first third, as a share; null unknown. */
  readonly shift: number | null;
  readonly interval: Interval | null;
  readonly steadiness: "flat" | "moving" | "unknown";
}

/**
 * Requests a generator thread had sent by a moment, to about a batch: whole slots and a share of the one begun.
 *
 * @param slots requests sent in each slot since `startedUs`
 * @param slotUs length of a slot in microseconds
 * @param startedUs wall clock at the first slot's begin
 * @param atUs wall clock to count up to
 */
export function sentBy(slots: readonly number[], slotUs: number, startedUs: number, atUs: number): number {
  const passed = Math.max(0, (atUs - startedUs) / slotUs);
  const whole = Math.min(slots.length, Math.floor(passed));
  const before = slots.slice(0, whole).reduce((sum, sent) => sum + sent, 0);
  return before + (passed - whole) * (slots[whole] ?? 0);
}

/** ln of how the ratio of CPU per request (b over a) changed after the window's first third; null where unknown. */
export function shiftOf(a: InWindow, b: InWindow): number | null {
  const [ofA, ofB] = [changeOf(a), changeOf(b)];
  return ofA === null || ofB === null ? null : ofB - ofA;
}

function changeOf({ parts }: InWindow): number | null {
  if (parts === null || parts.some(({ requests }) => requests < THRESHOLDS.steadinessMinRequests)) return null;
  const [head, tail] = parts.map(({ cpu_ns, requests }) => cpu_ns / requests) as [number, number];
  return Math.log(tail / head);
}

/**
 * Whether two servers were warm when they were compared, after the fact. A single observation's shift is as noisy as a
 * garbage collection is long (2 to 4 %), so it takes a mean over rounds that is more than chance.
 *
 * @param names of a and b, for people
 * @param rounds both servers in every ok observation that held them together
 */
export function duetSteadiness(
  [a, b]: readonly [string, string],
  rounds: readonly (readonly [InWindow, InWindow])[],
): DuetSteadiness {
  const shifts = rounds.flatMap(([ofA, ofB]) => shiftOf(ofA, ofB) ?? []);
  const known = { a, b, rounds: shifts.length };
  if (shifts.length < 3) return { ...known, shift: null, interval: null, steadiness: "unknown" };
  const sample = sampleOf(shifts);
  const { low, high, level } = tInterval(sample, 1 - thresholds.trendAlpha.value);
  const shift = Math.expm1(sample.mean);
  const moving = Math.abs(shift) > THRESHOLDS.steadiness && (low > 0 || high < 0);
  return {
    ...known,
    shift,
    interval: { low: Math.expm1(low), high: Math.expm1(high), level },
    steadiness: moving ? "moving" : "flat",
  };
}

/** Why a pair that was not steady must not be judged, in words. */
export function movingObjection({ a, b, shift }: DuetSteadiness): string {
  const which = shift! < 0 ? b : a;
  const by = percent(Math.abs(shift!));
  return `${which} still grew cheaper than the other by ${by} inside the window: warm up longer`;
}
