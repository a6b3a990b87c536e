import { subjectName } from "./plan.ts";
import type { DuetRecord } from "./result/duet-record.ts";
import { type Interval, sampleOf, tInterval } from "./statistics/t-interval.ts";
import { thresholds } from "./statistics/thresholds.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** How the ratio of a pair went within its windows, over all its rounds. */
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

/** ln of how the ratio of CPU per request (b over a) changed after the window's first third; null where untold. */
export function shiftOf({ a, b }: DuetRecord): number | null {
  const [ofA, ofB] = [changeOf(a), changeOf(b)];
  return ofA === null || ofB === null ? null : ofB - ofA;
}

function changeOf({ parts }: DuetRecord["a"]): number | null {
  if (parts === null || parts.some(({ requests }) => requests < THRESHOLDS.steadinessMinRequests)) return null;
  const [head, tail] = parts.map(({ cpu_ns, requests }) => cpu_ns / requests) as [number, number];
  return Math.log(tail / head);
}

/**
 * Whether two servers were warm when they were compared, after the fact. A single duet's shift is as noisy as a garbage
 * collection is long (2 to 4 %), so it takes a mean over rounds that is more than chance.
 *
 * @param duets all of one pair, each in the same order
 */
export function duetSteadiness(duets: readonly DuetRecord[]): DuetSteadiness {
  const pair = { a: subjectName(duets[0]!.a), b: subjectName(duets[0]!.b) };
  const shifts = duets.flatMap((duet) => duet.status === "ok" ? shiftOf(duet) ?? [] : []);
  const told = { ...pair, rounds: shifts.length };
  if (shifts.length < 3) return { ...told, shift: null, interval: null, steadiness: "unknown" };
  const sample = sampleOf(shifts);
  const { low, high, level } = tInterval(sample, 1 - thresholds.trendAlpha.value);
  const shift = Math.expm1(sample.mean);
  const moving = Math.abs(shift) > THRESHOLDS.steadiness && (low > 0 || high < 0);
  return {
    ...told,
    shift,
    interval: { low: Math.expm1(low), high: Math.expm1(high), level },
    steadiness: moving ? "moving" : "flat",
  };
}

/** The steadiness of every pair of a run that was measured as a duet, the A/A pair's too, in order of appearance. */
export function duetSteadinesses(duets: readonly DuetRecord[]): DuetSteadiness[] {
  const byPair = Map.groupBy(duets, ({ a, b }) => `${subjectName(a)} ${subjectName(b)}`);
  return [...byPair.values()].map(duetSteadiness);
}

/** Why a pair that was not steady must not be judged, in words. */
export function movingObjection({ a, b, shift }: DuetSteadiness): string {
  const percent = `${(100 * Math.abs(shift!)).toFixed(1)} %`;
  const which = shift! < 0 ? b : a;
  return `${which} still grew cheaper than the other by ${percent} inside the window: warm up longer`;
}
