import type { Answer, AnsweredQuestion } from "../record/answer-schema.ts";
import type { Summary } from "../record/summary.ts";
import { EQUAL, OPEN_WORD } from "../record/verdicts.ts";
import { listed } from "../result/questions.ts";

/** Returns the picks of a question in a few words: `deno or bun`; `node, deno: pg; bun: bun-sql`; `not decided`. */
export function takenText({ parts: [main] }: Pick<AnsweredQuestion, "parts">): string {
  const { picks, by, claims } = main!;
  if (picks.length > 0) return listed(picks, "or");
  if (by !== undefined) {
    return by.groups.map(({ values, picks }) => `at ${listed(values)}: ${listed(picks, "or") || OPEN_WORD}`).join("; ");
  }
  return claims.length > 0 && claims.every(({ says }) => says === "equivalent") ? EQUAL : OPEN_WORD;
}

/** `Runtime: deno or bun; Store: map or binary`: the picks of an answer, question by question. */
export const takenTexts = ({ questions }: Pick<Answer, "questions">): string[] =>
  questions.map((question) => `${question.title}: ${takenText(question)}`);

/** Returns the marks of a run that its answer does not name, so that each is reported once on a screen. */
export const marksBeside = ({ marks, answer }: Pick<Summary, "marks" | "answer">): Summary["marks"] =>
  marks.filter(({ code }) => [...answer.none ?? [], ...answer.marks].every((named) => named.code !== code));
