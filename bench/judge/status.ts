import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";

/** Marks of a measurement that failed. */
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

/** Marks of the server and not of the round: one is enough. */
const OF_THE_SERVER: readonly Mark["code"][] = [
  "wrong-answer",
  "audit-failed",
  "unexpected-status",
  "wrong-runtime",
  "no-right-reply",
];

/** True if a mark holds for the server in all its rounds. */
export const isOfServer = ({ code }: Mark): boolean => OF_THE_SERVER.includes(code);

const OTHERS: readonly Mark["code"][] = ["contended", "clock-changed"];

/** Codes that follow if other processes had the cores. */
const THEN: readonly Mark["code"][] = [...OTHERS, "core-not-full"];

/** True if other processes' use of the machine is all that is wrong with an observation, so that it is repeated. */
export function voidedByOthers(
  { status, marks }: { readonly status: Observation["status"]; readonly marks: readonly Mark[] },
): boolean {
  const codes = marks.map(({ code }) => code);
  return status === "invalid" && codes.some((code) => OTHERS.includes(code)) &&
    codes.every((code) => THEN.includes(code));
}

/** True if other processes voided an observation, or a window of it. */
export const lostToOthers = (
  line: Pick<Observation, "status" | "marks"> & { readonly windows?: Observation["windows"] },
): boolean =>
  [line, ...(line.windows ?? []).map(({ marks }) => ({ status: statusOf(marks), marks }))].some(voidedByOthers);

/** Returns the first mark of observations of which none is sound, without ceilings and points that cannot be; null if one is. */
export function whyNoneSound(lines: readonly Pick<Observation, "kind" | "status" | "marks">[]): Mark | null {
  const made = lines.filter(({ kind, status }) => kind !== "ceiling" && status !== "unsupported");
  return made.some(({ status }) => status === "ok") ? null : made.flatMap(({ marks }) => marks)[0] ?? null;
}

/**
 * The observations at the end of some that other processes voided, one after the other. Ceilings, of a second each, are
 * left out.
 */
export function voidedInARow<T extends Pick<Observation, "kind" | "status" | "marks" | "windows">>(
  lines: readonly T[],
): readonly T[] {
  const made = lines.filter(({ kind }) => kind !== "ceiling");
  return made.slice(made.findLastIndex((line) => !lostToOthers(line)) + 1);
}
