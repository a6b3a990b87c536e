import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/mark-schema.ts";

/** Marks that say the measurement itself never came to be. */
const FAILED: readonly Mark["code"][] = [
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

/** The status that marks give to what was observed. */
export function statusOf(marks: readonly Mark[]): Observation["status"] {
  if (marks.length === 0) return "ok";
  if (marks.every(({ code }) => code === "unsupported")) return "unsupported";
  return marks.some(({ code }) => FAILED.includes(code)) ? "failed" : "invalid";
}

/** Marks that say something of the server, not of the round: one is enough. */
const OF_THE_SERVER: readonly Mark["code"][] = [
  "wrong-answer",
  "audit-failed",
  "unexpected-status",
  "wrong-runtime",
  "no-right-reply",
];

/** Whether a mark says something of the server in all its rounds. */
export const isOfServer = ({ code }: Mark): boolean => OF_THE_SERVER.includes(code);
