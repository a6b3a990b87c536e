import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Warmup } from "../record/observation-record.ts";

/** The longest that a window of so many planned milliseconds may become. */
export const longestWindowMs = (plannedMs: number): number =>
  Math.max(plannedMs, Math.min(THRESHOLDS.windowMostMs, THRESHOLDS.windowMostTimes * plannedMs));

/**
 * The window in which each connection gets as many replies as one is to hold, in milliseconds: as planned, or longer where
 * they are slow. Whole seconds, for wrk takes no others.
 *
 * @param replyMs what a reply takes with all connections waiting
 * @param servers that share the time
 */
export function windowMs(plannedMs: number, replyMs: number, servers: number): number {
  const wanted = 1_000 * Math.ceil(servers * THRESHOLDS.windowReplies * replyMs / 1_000);
  return Math.max(plannedMs, Math.min(longestWindowMs(plannedMs), wanted));
}

/** How long a reply took in a warm-up while all connections waited for one, in milliseconds; null without any. */
export function replyMsOf(
  { requests, duration_us }: Pick<Warmup, "requests" | "duration_us">,
  connections: number,
): number | null {
  return requests === 0 ? null : connections * duration_us / requests / 1e3;
}
