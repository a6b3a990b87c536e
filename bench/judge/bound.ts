import type { BusyShares, LinkUse } from "../record/counters-schema.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { BOUND, type Bound } from "../record/outcome-schema.ts";

/**
 * Returns the bound of a trial from measured busy shares (0 to 1, null when unreadable). The server comes first: when
 * both are busy all the time, a faster generator would get no faster replies.
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

/** True if a figure is a lower bound for the server, since another part was the limit. */
export const isLowerBound = (bound: Bound): boolean => BOUND[bound].sign !== "";

/**
 * Returns the bound from the counters of a load. A server of one thread is the limit when that thread is busy all the
 * time, even with several cores. A link is the limit if neither side was, and it was full or lost packets; the disk if
 * it was waited for in most of the time that is left of the servers' cores.
 */
export function boundOfCounters(
  counters:
    & Pick<BusyShares, "server_share" | "server_thread_share" | "generator_share" | "service_share" | "load_core_share">
    & Partial<Pick<BusyShares, "core_share" | "disk_share">>
    & { readonly link?: Pick<LinkUse, "share" | "retransmit_share"> | undefined },
): Bound {
  const { server_share, server_thread_share, generator_share, link } = counters;
  const { service_share = null, load_core_share = null } = counters;
  const share = server_share === null ? null : Math.max(server_share, server_thread_share ?? 0);
  const bound = boundOf(share, generator_share);
  if (bound !== "neither") return bound;
  if (service_share !== null) {
    if (service_share >= THRESHOLDS.generatorBoundShare) return "service";
    // If both fill one core, the larger user is the limit.
    if ((load_core_share ?? 0) >= THRESHOLDS.generatorBoundShare) {
      return service_share > (generator_share ?? 0) ? "service" : "generator";
    }
  }
  // A link that lost much has both sides wait for retransmits.
  const isFull = (link?.share ?? 0) >= THRESHOLDS.networkBoundShare;
  if (isFull || (link?.retransmit_share ?? 0) >= THRESHOLDS.networkRetransmitShare) return "network";
  const { core_share = null, disk_share = null } = counters;
  return core_share !== null && disk_share !== null && disk_share > (1 - core_share) / 2 &&
      disk_share > 1 - THRESHOLDS.serverBoundShare
    ? "disk"
    : bound;
}

/**
 * Returns the share of their capacity that services used, 1 for all. Null without services, or if it is not known.
 *
 * @param busy the busy share of their cores
 * @param generator busy share of the load generator where it has the same core: they have what it leaves
 */
export function serviceUsed(busy: number | null | undefined, generator: number | null = 0): number | null {
  if (busy === null || busy === undefined || generator === null) return null;
  return busy === 0 ? 0 : busy / Math.max(busy, 1 - generator);
}
