import type { Answer } from "../record/answer-schema.ts";
import type { Summary } from "../record/summary.ts";
import { listed } from "../result/questions.ts";
import { decidedText } from "../result/verdict-counts.ts";

/** The words for each question: its title, and its parts as sentences, the main one first. */
export function questionTexts({ questions }: Pick<Answer, "questions">): QuestionText[] {
  return questions.map(({ title, parts, decided, of }) => ({
    title,
    taken: takenText(parts[0]!.picks),
    head: `${title}: ${takenText(parts[0]!.picks) || undecidedText({ open: parts[0]!.open, decided, of })}`,
    texts: parts.map(({ sentence }) => `${sentence}.`),
    decided: decidedText({ decided, all: of }),
  }));
}

interface QuestionText {
  readonly title: string;
  /** `deno or bun`; empty where verdicts carry no value. */
  readonly taken: string;
  /** `Runtime: deno or bun`, `Runtime: undecided, as none leads at any of the 5 places`. */
  readonly head: string;
  readonly texts: readonly string[];
  /** `35 of 36 comparisons decided`. */
  readonly decided: string;
}

/** `deno`, `deno or bun`. */
const takenText = (picks: readonly string[]): string => listed(picks, "or");

/** Returns why a question has no pick; the numbers of its comparisons for an answer of an earlier version. */
export const undecidedText = (
  { open, decided, of }: { readonly open?: string | undefined; readonly decided: number; readonly of: number },
): string => open ?? `undecided (${decided} of ${of} decided)`;

/** Returns the marks of a run that its answer does not name, so that each is reported once on a screen. */
export const marksBeside = ({ marks, answer }: Pick<Summary, "marks" | "answer">): Summary["marks"] =>
  marks.filter(({ code }) => [...answer.none ?? [], ...answer.marks].every((named) => named.code !== code));
