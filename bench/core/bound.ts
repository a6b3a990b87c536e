import { THRESHOLDS } from "./thresholds.ts";

/** What limited a trial. */
export type Bound = "server" | "generator" | "neither" | "unknown";

/**
 * Says what limited a trial from measured busy shares (0 to 1, null when unreadable).
 * The server is asked first: when both are busy all the time, faster requests would not have been answered faster.
 */
export function boundOf(serverShare: number | null, generatorShare: number | null): Bound {
  if (serverShare === null) return "unknown";
  if (serverShare >= THRESHOLDS.serverBoundShare) return "server";
  if (generatorShare === null) return "unknown";
  return generatorShare >= THRESHOLDS.generatorBoundShare ? "generator" : "neither";
}
