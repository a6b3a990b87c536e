/**
 * The knee: the highest rate at which a server still keeps a stated limit, found as a pure function of the steps made so far.
 * Rates grow by a quarter until one does not hold, then the gap is bisected, then the rate found is confirmed.
 */
import { counted, formatRate, type Limit } from "../basics/units.ts";
import { answeredShare, isOnTime, isRateReached } from "../judge/open-loop.ts";
import type { OpenLoop } from "../record/card.ts";
import { byQuantile, type LatencyCell } from "../record/latency-schema.ts";
import { mark } from "../record/mark.ts";
import type { Window } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { percentileUs } from "../statistics/latency-histogram.ts";

/** One step of the search with its evidence; `holds` is null if it could not be judged. */
export type KneeStep = NonNullable<LatencyCell["knee"]>["steps"][number];

/** Returns a window as a step of the search. */
export function kneeStepOf(window: Window, limit: Limit): KneeStep {
  const { load, per_second, at, bound, marks } = window;
  const us = latencyAt(window, limit.share), isSound = marks.length === 0 && load !== null;
  // A server that cannot take the rate does not hold the limit at it, whatever the latencies of those it took. If the
  // generator could not send it, nothing is known.
  const isKept = load !== null && isRateReached(load);
  const holds = !isSound || us === null || !isKept && bound === "generator" ? null : isKept && us < limit.us;
  return {
    per_second: per_second!,
    why: at["knee"] as KneeStep["why"],
    holds,
    sent_share: load && answeredShare(load),
    dropped: load?.dropped ?? null,
    us,
    marks: [...marks],
  };
}

/** Returns the latency of a share of the requests in µs; null if the generator was late itself. */
function latencyAt({ latency, load }: Pick<Window, "latency" | "load">, share: number): number | null {
  if (latency === null) return null;
  const us = percentileUs(latency.histogram, share);
  return isOnTime({ load }, share, us) ? us : null;
}

/** The next step of the search, or its finding. */
type KneeSearch =
  | { readonly kind: "try"; readonly perSecond: number; readonly why: KneeStep["why"] }
  /** The rate that held in all its confirmations; `capped` if no higher rate was offered. */
  | { readonly kind: "found"; readonly perSecond: number; readonly capped: boolean }
  | { readonly kind: "none" }
  | { readonly kind: "open"; readonly mark: Mark };

/** The numbers of the search, with their reasons. */
export const KNEE = {
  /** The first rate, as a share of the closed-loop rate: any sound server keeps half of it. */
  first: 0.5,
  growth: 1.25,
  /** Gap at which bisecting ends: windows of some seconds cannot separate closer rates. */
  tolerance: 0.03,
  /** The number of times a rate must hold, the first one included. */
  confirmations: 3,
  /** A server does hardly more than its closed loop. */
  most: 1.2,
  /** Below this share no rate is tried. */
  least: 0.02,
  /** The most attempts at a step that cannot be judged. */
  again: 3,
} as const;

/**
 * The next step of the search.
 * @param capacity requests a second of the closed loop
 */
export function searchKnee(steps: readonly Pick<KneeStep, "per_second" | "holds">[], capacity: number): KneeSearch {
  const unjudged = steps.filter(({ holds }) => holds === null).length;
  if (unjudged > KNEE.again) {
    return { kind: "open", mark: openMark(`${unjudged} of ${counted(steps.length, "step")} could not be judged`) };
  }
  const judged = steps.filter(({ holds }) => holds !== null);
  const failed = judged.filter(({ holds }) => !holds).map((step) => step.per_second);
  const ceiling = Math.min(...failed, Infinity);
  // A rate that failed once does not count, whatever it did before.
  const held = judged.filter((step) => step.holds && step.per_second < ceiling).map((step) => step.per_second);
  const best = Math.max(...held, 0);
  const most = KNEE.most * capacity;
  if (best === 0) {
    const next = ceiling === Infinity ? KNEE.first * capacity : ceiling / 2;
    return next < KNEE.least * capacity
      ? { kind: "none" }
      : { kind: "try", perSecond: whole(next), why: ceiling === Infinity ? "up" : "down" };
  }
  if (ceiling === Infinity && best < most / (1 + KNEE.tolerance)) {
    return { kind: "try", perSecond: whole(Math.min(best * KNEE.growth, most)), why: "up" };
  }
  if (ceiling !== Infinity && ceiling / best > 1 + KNEE.tolerance) {
    const next = whole(Math.sqrt(best * ceiling));
    if (next > best && next < ceiling) return { kind: "try", perSecond: next, why: "bisect" };
  }
  const times = held.filter((rate) => rate === best).length;
  return times < KNEE.confirmations
    ? { kind: "try", perSecond: best, why: "confirm" }
    : { kind: "found", perSecond: best, capped: ceiling === Infinity };
}

/** Returns the knee that the steps found, or why it is open. */
export function kneeOf(steps: readonly KneeStep[], capacity: number): NonNullable<LatencyCell["knee"]> {
  const end = searchKnee(steps, capacity);
  return {
    per_second: end.kind === "found" ? end.perSecond : null,
    capped: end.kind === "found" && end.capped,
    share_of_capacity: end.kind === "found" ? end.perSecond / capacity : null,
    open: end.kind === "open" ? end.mark : end.kind === "try" ? openMark("the search was stopped") : null,
    steps: [...steps],
  };
}

/** The shares of the quantiles of a card, by name. */
const SHARES = byQuantile((share) => share);

/**
 * Returns the finding of a search, held against all requests of the cells at rates: windows of the search are short, and may
 * miss what the others met, such as a halt every ten seconds.
 */
export function heldByAll(
  knee: NonNullable<LatencyCell["knee"]>,
  cards: readonly OpenLoop[],
  { share, us }: Limit,
): NonNullable<LatencyCell["knee"]> {
  const failed = cards.flatMap(({ open_loop: loop }) =>
    loop !== undefined &&
      Object.entries(loop.by_clock.due).some(([name, of]) =>
        of !== null && of.us >= us && SHARES[name as keyof typeof SHARES] <= share
      )
      ? loop.offered_per_second
      : []
  );
  const lowest = Math.min(...failed, Infinity);
  if (knee.per_second === null || knee.per_second < lowest) return knee;
  const held = knee.steps.some((step) => step.holds && step.per_second < lowest);
  const found = `at ${formatRate(lowest)} req/s all requests together do not hold it, though windows of the search do`;
  return {
    ...knee,
    per_second: null,
    share_of_capacity: null,
    capped: false,
    open: held ? openMark(found) : null,
  };
}

const openMark = (text: string) => mark("knee-open", text);

const whole = (rate: number) => Math.max(1, Math.round(rate));
