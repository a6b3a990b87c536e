import type { Summary } from "../record/summary.ts";
import type { RunRecord } from "../record/run-record.ts";
import { contextTexts, furtherTexts, settlingOf } from "./answer.ts";
import { questionTexts } from "./question-texts.ts";
import { markdownText } from "./markdown-table.ts";

/** A run's answer in Markdown: its sentence, then a line for all else of each question, its scope, each caveat, and what would settle the rest. */
export function answerMarkdown(run: Pick<RunRecord, "plan" | "against">, { answer }: Summary): string[] {
  const settling = settlingOf(run, answer);
  return [
    `**${markdownText(answer.sentence)}**`,
    "",
    ...questionTexts(answer).flatMap(({ title, texts, decided }) =>
      [...texts.slice(1), `${decided}.`].map((text) => `- ${markdownText(`${title}: ${text}`)}`)
    ),
    ...contextTexts(answer).map((text) => `- ${markdownText(text)}`),
    ...furtherTexts(answer).map((text) => `- ${markdownText(text)}`),
    ...(settling === null ? [] : [
      `- To settle it: ${markdownText(settling.text)}${
        settling.command === null ? "" : ` ${codeText(settling.command)}`
      }`,
    ]),
  ];
}

/** A command as code, or as text where it holds what ends code or its line, or looks like markup. */
function codeText(command: string): string {
  return /[`<\p{Cc}]/u.test(command) ? markdownText(command) : `\`${command}\``;
}
