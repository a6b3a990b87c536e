import type { Observation, Reason } from "../record/observation-record.ts";

/** Reasons that say the measurement itself never came to be. */
const FAILED: readonly Reason["code"][] = [
  "server-failed-to-start",
  "wrong-runtime",
  "server-crashed",
  "server-hung",
  "connection-closed",
  "generator-failed",
  "files-failed",
  "too-few-servers",
  "memory-short",
];

/** The status that reasons give to what was observed. */
export function statusOf(reasons: readonly Reason[]): Observation["status"] {
  if (reasons.length === 0) return "ok";
  if (reasons.every(({ code }) => code === "unsupported")) return "unsupported";
  return reasons.some(({ code }) => FAILED.includes(code)) ? "failed" : "invalid";
}

/** Reasons that say something of the server, not of the round: one is enough. */
const OF_THE_SERVER: readonly Reason["code"][] = ["wrong-answer", "audit-failed", "unexpected-status", "wrong-runtime"];

/** Whether a reason says something of the server in all its rounds. */
export const isOfServer = ({ code }: Reason): boolean => OF_THE_SERVER.includes(code);
