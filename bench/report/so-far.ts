import { mostRounds, type PlanRounds } from "../plan/schedule.ts";
import type { Answer } from "../record/answer-schema.ts";
import { counted } from "../basics/units.ts";
import { printable } from "./align.ts";
import { noneText } from "./listed-run.ts";
import { takenTexts } from "./question-texts.ts";
import type { Style } from "./style.ts";
import { wrapped } from "./wrap.ts";

/** The answer of a run that goes on, in a line: what its verdicts carry by now, marked as provisional. */
export function soFarText(plan: PlanRounds, { none, rounds, sentence }: Answer): string {
  const said = none === null ? sentence : `${noneText(none, "no answer yet")}.`;
  return printable(`${headText(plan, rounds)} ${said}`);
}

/** The same in lines that fit. Where they are too many only what is taken is said: no sentence is cut. */
export function soFarLines(
  plan: PlanRounds,
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

/** Returns the rounds made so far, of those planned or, past them, with the spare ones. */
function headText(plan: PlanRounds, made: number): string {
  const most = mostRounds(plan);
  const rounds = made > most
    ? `${counted(made, "round")}, ${made - most} of them spare`
    : most > plan.rounds
    ? counted(made, "round")
    : `${made} of ${counted(most, "round")}`;
  return `so far, after ${rounds} (provisional):`;
}
