import { AA, cellKey, MAIN } from "../record/cell.ts";
import { isOfCalls } from "../record/in-words.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { type MarkCode, rowOf } from "../record/mark.ts";
import type { Plan } from "../record/plan.ts";

/** Returns the status of an observation by its marks. */
export function statusOf(marks: readonly Mark[]): Observation["status"] {
  if (marks.length === 0) return "ok";
  const given = marks.map((one) => rowOf(one).status);
  if (given.every((status) => status === "unsupported")) return "unsupported";
  return given.includes("failed") ? "failed" : "invalid";
}

/** True if a mark concerns the server in all its rounds, so that one mark is enough. */
export const isOfServer = (given: Mark): boolean => rowOf(given).of === "server";

/** True if others on the machine caused a mark. */
export const isOfOthers = (given: { readonly code: MarkCode }): boolean => rowOf(given).of === "others";

/** True if other processes' use of the machine is all that is wrong with an observation, so that it is repeated. */
export function voidedByOthers(
  { status, marks }: { readonly status: Observation["status"]; readonly marks: readonly Mark[] },
): boolean {
  return status === "invalid" && marks.some(isOfOthers) &&
    marks.every((one) => [one.code, rowOf(one).follows ?? one.code].some((code) => isOfOthers({ code })));
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

/** Returns the last observations that other processes voided in a row, without ceilings. */
export function voidedInARow<T extends Pick<Observation, "kind" | "status" | "marks" | "windows">>(
  lines: readonly T[],
): readonly T[] {
  const made = lines.filter(({ kind }) => kind !== "ceiling");
  return made.slice(made.findLastIndex((line) => !lostToOthers(line)) + 1);
}

/** A server that did not answer in time in so many rounds, and in all so far, is not started again. */
const HUNG_ROUNDS = 2;

/**
 * Returns cells whose steps end, by their keys: functions that gave another result than before, because a longer run measures
 * nothing else, and servers that hung in each of their first rounds, whose later ones take as long and say the same. A server
 * may answer wrongly for causes of one process.
 */
export function endedCells(plan: Pick<Plan, "generator">, lines: readonly Observation[]): Map<string, Mark> {
  const all = lines.filter(({ kind }) => kind !== "ceiling").flatMap(({ members, marks }) =>
    members.map((one) => ({ cell: one.cell, marks: members.length === 1 ? [...one.marks, ...marks] : one.marks }))
  );
  const last = ({ marks }: typeof all[number]) =>
    isOfCalls(plan) ? marks.find((one) => rowOf(one).lasts === "function") : undefined;
  return new Map([...Map.groupBy(all, ({ cell }) => cellKey(cell)).values()].flatMap((same) => {
    const { cell } = same[0]!, wrong = same.flatMap((one) => last(one) ?? [])[0];
    const hung = same.flatMap(({ marks }) => marks.find((one) => rowOf(one).lasts === "server") ?? []);
    const always = hung.length >= HUNG_ROUNDS && hung.length === same.length ? hung[0] : undefined;
    const labels = wrong === undefined ? [cell.label] : cell.label === AA ? [AA, MAIN] : [cell.label, AA];
    const why = wrong ?? always;
    return why === undefined ? [] : labels.map((label) => [cellKey({ ...cell, label }), why] as const);
  }));
}
