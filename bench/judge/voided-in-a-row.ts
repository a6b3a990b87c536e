import type { Observation } from "../record/observation-record.ts";
import { voidedByOthers } from "./contention.ts";

/** The observations at the end of some that others voided, one after the other. Ceilings, of a second each, are left out. */
export function voidedInARow<T extends Pick<Observation, "kind" | "status" | "marks">>(
  lines: readonly T[],
): readonly T[] {
  const made = lines.filter(({ kind }) => kind !== "ceiling");
  return made.slice(made.findLastIndex((line) => !voidedByOthers(line)) + 1);
}
