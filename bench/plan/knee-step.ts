import type { Limit } from "../basics/units.ts";
import type { Window } from "../record/observation-record.ts";
import { isOnTime, SENT } from "../judge/open-loop.ts";
import { percentileUs } from "../statistics/latency-histogram.ts";
import type { KneeStep } from "./knee.ts";

/** Requests answered of those that were due in the time the generator ran; null for a closed loop. */
function sentShare({ load, per_second }: Pick<Window, "load" | "per_second">): number | null {
  return load === null || per_second === null ? null : load.requests_per_second / per_second;
}

/**
 * A latency of a window for a share of the requests, in microseconds; null if the generator does not report it, or was
 * late itself.
 */
export function latencyAt({ latency, load }: Pick<Window, "latency" | "load">, share: number): number | null {
  if (latency === null) return null;
  if (latency.histogram.length > 0) {
    const us = percentileUs(latency.histogram, share);
    return isOnTime({ load }, share, us) ? us : null;
  }
  return latency.percentiles?.find(([own]) => Math.abs(own - share) < 1e-9)?.[1] ?? null;
}

/** True if the figures of a window may be used. */
export const isSound = ({ marks, load }: Pick<Window, "marks" | "load">): boolean =>
  marks.length === 0 && load !== null;

/** A window as a step of the search: whether the limit held, with the evidence. */
export function kneeStepOf(window: Window, limit: Limit) {
  const us = latencyAt(window, limit.share);
  const sent = sentShare(window);
  // A server that cannot take the rate does not hold the limit at it, whatever the latencies of those it took. Where the
  // generator could not send it, nothing is known.
  const unknown = !isSound(window) || us === null || sent === null || (sent < SENT && window.bound === "generator");
  const holds = unknown ? null : sent >= SENT && us < limit.us;
  return {
    per_second: window.per_second!,
    why: window.at["knee"] as "up" | "down" | "bisect" | "confirm",
    holds,
    sent_share: sent,
    dropped: window.load?.dropped ?? null,
    us,
    reasons: window.marks.map(({ text }) => text),
  };
}

/** Steps as the search takes them. */
export const asSearched = (steps: readonly ReturnType<typeof kneeStepOf>[]): KneeStep[] =>
  steps.map(({ per_second, holds }) => ({ perSecond: per_second, holds }));
