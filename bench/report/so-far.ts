import type { Plan } from "../record/plan.ts";
import type { Answer } from "../record/answer-schema.ts";
import { counted } from "../basics/units.ts";
import { printable } from "./align.ts";
import { noneText } from "./listed-run.ts";
import { takenTexts } from "./question-texts.ts";
import type { Style } from "./style.ts";
import { wrapped } from "./wrap.ts";

/** The answer of a run that goes on, in a line: what its verdicts carry by now, marked as provisional. */
export function soFarText(plan: Pick<Plan, "rounds">, { none, rounds, sentence }: Answer): string {
  const said = none === null ? sentence : `${noneText(none, "no answer yet")}.`;
  return printable(`${headText(plan, rounds)} ${said}`);
}

/** The same in lines that fit. Where they are too many only what is taken is said: no sentence is cut. */
export function soFarLines(
  plan: Pick<Plan, "rounds">,
  answer: Answer,
  style: Style,
  columns: number,
  rows: number,
): string[] {
  if (answer.none !== null) return wrapped(soFarText(plan, answer), columns);
  const head = headText(plan, answer.rounds);
  const said = (texts: readonly string[]) => [
    style.bold(head),
    ...texts.flatMap((text) => wrapped(printable(text), columns - 2).map((line) => `  ${line}`)),
  ];
  const whole = said(answer.questions.map(({ title, parts }) => `${title}: ${parts[0]!.sentence}.`));
  return whole.length <= rows ? whole : said(takenTexts(answer));
}

function headText(plan: Pick<Plan, "rounds">, made: number): string {
  const rounds = made <= plan.rounds
    ? `${made} of ${counted(plan.rounds, "round")}`
    : `${counted(made, "round")}, ${made - plan.rounds} of them spare`;
  return `so far, after ${rounds} (provisional):`;
}
