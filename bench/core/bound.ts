import { THRESHOLDS } from "./thresholds.ts";

/** What limited a trial. */
export type Bound = "server" | "generator" | "neither" | "unknown";

/**
 * Says what limited a trial from measured busy shares (0 to 1, null when unreadable).
 * The server is asked first: when both are busy all the time, faster requests would not have been answered faster.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { boundOf } from "levelfield";
 * assert.equal(boundOf(0.99, 0.6), "server");
 * assert.equal(boundOf(0.7, 0.98), "generator");
 * assert.equal(boundOf(null, 0.98), "unknown");
 * ```
 */
export function boundOf(serverShare: number | null, generatorShare: number | null): Bound {
  if (serverShare === null) return "unknown";
  if (serverShare >= THRESHOLDS.serverBoundShare) return "server";
  if (generatorShare === null) return "unknown";
  return generatorShare >= THRESHOLDS.generatorBoundShare ? "generator" : "neither";
}

/**
 * The same from the counters of a load. A server of one thread is the limit when that thread is busy all the time, also
 * where it was given several cores.
 */
export function boundOfCounters(
  counters: {
    readonly server_share: number | null;
    readonly server_thread_share: number | null;
    readonly generator_share: number | null;
  },
): Bound {
  const { server_share, server_thread_share, generator_share } = counters;
  const share = server_share === null ? null : Math.max(server_share, server_thread_share ?? 0);
  return boundOf(share, generator_share);
}
