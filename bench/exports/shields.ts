import { harmlessJson, printable } from "../report/align.ts";
import { OPEN } from "../record/verdicts.ts";
import { takenText } from "../report/question-texts.ts";
import type { RunFiles } from "../page/shown-run.ts";

/**
 * A badge as shields' endpoint reads it: the first question and what is to be taken there, whole, with the places where it
 * loses; grey where nothing is decided.
 *
 * @see https://shields.io/badges/endpoint-badge
 */
export function toShields({ run, summary: { answer } }: RunFiles): string {
  const [question] = answer.questions;
  const [part] = question?.parts ?? [];
  const isPicked = part !== undefined && part.picks.length > 0;
  return harmlessJson({
    schemaVersion: 1,
    label: printable(question?.title ?? run.plan.suite.title),
    message: printable(isPicked ? part.sentence : question === undefined ? OPEN : takenText(question)),
    color: isPicked ? "blue" : "lightgrey",
  }, 2) + "\n";
}
