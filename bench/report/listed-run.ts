import type { Answer } from "../record/answer-schema.ts";
import { withoutStop } from "../basics/units.ts";
import { AA } from "../record/cell.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { takenTexts } from "./question-texts.ts";
import { rowOf } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";

type Findings = Pick<Summary, "marks" | "answer">;

/** A run in the list of runs: the content of its folder, or why it cannot be read. */
export type ListedRun =
  | { readonly name: string; readonly run: RunRecord; readonly summary: Findings }
  | { readonly name: string; readonly fault: string };

/** A run in the list, or why it cannot be read. */
export function listedRun(
  name: string,
  read: () => { readonly run: RunRecord; readonly summary: Findings },
): ListedRun {
  try {
    const { run, summary } = read();
    return { name, run, summary };
  } catch (error) {
    return { name, fault: (error instanceof Error ? error.message : String(error)).split("\n")[0]! };
  }
}

/** Runs by the time they were started, the newest first; those that cannot be read stand last. */
export function newestFirst(runs: readonly ListedRun[]): ListedRun[] {
  const time = (listed: ListedRun) => "fault" in listed ? "" : listed.run.started_at;
  return runs.toSorted((a, b) => time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0);
}

/** True if a reason for no pick is the answer itself: something else than the servers is the limit. */
export const isItself = (first: Mark): boolean => rowOf(first).of === "limit" && first.effect === "note";

/** Returns the first reason why there is no answer, after words that say so; by itself where it is the answer. */
export const noneText = ([first]: NonNullable<Answer["none"]>, words: string): string =>
  isItself(first!) ? first!.text : `${words}: ${first!.text}`;

/** `Runtime: deno; Store: map or binary`: the answer of a run question by question; why there is none where there is none. */
export function tookText({ answer }: Omit<Findings, "marks">): string {
  if (answer.none === null && answer.questions.length === 0) return withoutStop(answer.sentence);
  if (answer.none !== null) return noneText(answer.none, "no answer");
  return takenTexts(answer).join("; ");
}

/** `2026-11-20 12:00`. */
export const startedText = ({ started_at }: RunRecord): string => started_at.slice(0, 16).replace("T", " ");

/** The number of cells that a run compares, without its A/A twins. */
export const cellCount = ({ plan }: RunRecord): number => plan.cells.filter(({ label }) => label !== AA).length;
