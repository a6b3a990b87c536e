/** Lengths of windows, of slices and turns inside them, and of the loads between a warm-up and its window. */
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Warmup } from "../record/observation-record.ts";

/** The longest window that a planned length may grow to, in ms. */
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

/** Returns the time of a reply in a warm-up while all connections waited for one, in milliseconds; null without replies. */
export function replyMsOf(
  { requests, duration_us }: Pick<Warmup, "requests" | "duration_us">,
  connections: number,
): number | null {
  return requests === 0 ? null : connections * duration_us / requests / 1e3;
}

/** Time between reading a slice and the generator's next check, in ms: enough to judge it and to end the load. */
const AHEAD_MS = 20;

/**
 * Returns the length of the next slice of a load in milliseconds: about the requested one, and so that it is read just
 * before the generator checks if it must end. So nobody waits for the generator's next check.
 *
 * @param loadedMs for which the load has gone on; not finite where that is not known yet
 * @param looksEveryMs how often the generator looks; undefined if it ends at once
 */
export function nextSliceMs(sliceMs: number, loadedMs: number, looksEveryMs: number | undefined): number {
  if (looksEveryMs === undefined || !Number.isFinite(loadedMs)) return sliceMs;
  const looks = Math.round((loadedMs + sliceMs + AHEAD_MS) / looksEveryMs);
  return Math.max(0, looks * looksEveryMs - AHEAD_MS - loadedMs);
}

/** Returns the length of a load in milliseconds if it is ended now. */
export const endsAtMs = (loadedMs: number, looksEveryMs: number | undefined): number =>
  looksEveryMs === undefined ? loadedMs : Math.ceil(loadedMs / looksEveryMs) * looksEveryMs;

/** In shorter turns servers reload caches that the others evicted; longer ones gain nothing. */
const LEAST_MS = 25;
const MOST_MS = 100;
/**
 * Counted time in which each server has a turn. Shared machines change their speed about once a second, which must
 * affect all servers.
 */
const CYCLE_MS = 800;

/** Counted length of one turn of a server among so many, in milliseconds. */
export const turnMs = (servers: number) => Math.min(MOST_MS, Math.max(LEAST_MS, Math.round(CYCLE_MS / servers)));

/**
 * Ramp-up of a resumed server before it is counted, in milliseconds. It refills the caches that the others emptied,
 * which a server alone on its core never pays for. Measured: docs/experiments/turns.md.
 */
export const RAMP_UP_MS = 50;

/** Returns the duration of a window in which so many servers take turns, ramp-ups included. */
export const turnsTakeMs = (windowMs: number, servers: number) => windowMs * (1 + RAMP_UP_MS / turnMs(servers));

/** Load over new connections before the window of one server, in milliseconds: engines compile once more then. */
export const SETTLE_MS = 500;

/**
 * Returns true if each connection gets a reply in {@link SETTLE_MS}: only then is that load made. With slower requests the server would see a few,
 * and would then answer the rest to closed connections.
 *
 * @param warmup of the server alone
 */
export function settles(
  warmup: { readonly duration_us: number; readonly requests: number },
  connections: number,
): boolean {
  return connections * warmup.duration_us <= 1e3 * SETTLE_MS * warmup.requests;
}

/**
 * Least load on several servers before their window, for each of them, in milliseconds: one that resumes after so long needs
 * some tenths of a second.
 */
export const SETTLE_TOGETHER_MS = 400;

/** Turn of a server that waits until others are warm, in milliseconds: enough for a garbage collection of a fast one. */
export const AT_WORK_MS = 75;

/** Milliseconds between two such turns: no server may be idle for eight seconds. */
export const AT_WORK_EVERY_MS = 5_000;

/** The longest time if no server may be halted. A turn of each, and the load for it, come on top. */
export const AT_WORK_REST_MS = 6_500;
