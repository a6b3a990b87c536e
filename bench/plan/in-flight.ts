import type { Loaded } from "../record/observation-record.ts";

/** Replies a connection from which those in flight at the end of a window are too few to matter: less than a hundredth. */
const ENOUGH = 100;
/** Fewer than this share of all are not counted in. */
const LEAST_SHARE = 0.01;
/** How far latencies may be apart to stand for those of requests still in flight. */
const MOST_P99 = 1.5;
const LEAST_MEAN = 0.8;

/** What is known of a window of one server. */
export interface FewReplies extends Pick<NonNullable<Loaded["load"]>, "requests" | "duration_us" | "connections"> {
  readonly latency: Pick<NonNullable<Loaded["latency"]>, "p50_us" | "p99_us" | "mean_us"> | null;
}

/**
 * Parts of requests that were in flight when a window ended, as whole ones: each connection waits all the time, so by
 * Little's law as much was done as fits in the time of all of them. Null where nothing is to be added: there are replies
 * enough, or latencies differ so much that those in flight may take far longer than those answered.
 */
export function inFlightOf({ requests, duration_us, connections, latency }: FewReplies): number | null {
  const { p50_us: p50 = null, p99_us: p99 = null, mean_us: mean = null } = latency ?? {};
  if (requests < connections || requests >= ENOUGH * connections || p50 === null || p99 === null || mean === null) {
    return null;
  }
  if (p99 > MOST_P99 * p50 || mean < LEAST_MEAN * p50) return null;
  const more = connections * duration_us / mean - requests;
  return more < LEAST_SHARE * requests ? null : Math.min(more, connections);
}
