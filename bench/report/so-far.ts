import { mostRounds, type PlanRounds } from "../plan/plan-rounds.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { RoughLook } from "../result/rough-look.ts";
import { counted } from "../basics/units.ts";
import { printable } from "./align.ts";
import { noneText } from "./listed-run.ts";
import { takenTexts } from "./question-texts.ts";
import type { Style } from "./style.ts";
import { wrapped } from "./wrap.ts";

/** A run that continues: its answer, and a rough look until it has one. */
export interface RunSoFar {
  readonly answer: Answer;
  readonly looks: readonly RoughLook[];
}

/** The answer so far of a run that continues, in a line: its verdicts, or a rough look before there are any. */
export function soFarText(plan: PlanRounds, { answer: { none, rounds, sentence }, looks }: RunSoFar): string {
  if (none === null) return printable(`${headText(plan, rounds)} ${sentence}`);
  if (looks.length === 0) return printable(`${headText(plan, rounds)} ${noneText(none, "no answer yet")}.`);
  return printable(
    `so far a rough look, nothing proven: ${looks.map(lookText).join(" ")} (${noneText(none, "no answer yet")})`,
  );
}

/** The most values that a rough look names in addition to the cheapest. */
const MOST_LOOKED_AT = 3;

const lookText = ({ title, values: [first, ...others] }: RoughLook): string => {
  const shown = others.slice(0, MOST_LOOKED_AT).map(({ text, times }) =>
    `${times.toFixed(times < 1.095 ? 2 : 1)} × ${text}`
  );
  return `${title}: ${first!.text}, about ${shown.join(", ")}.`;
};

/** The same in lines that fit. Where they are too many only what is taken is said: no sentence is cut. */
export function soFarLines(
  plan: PlanRounds,
  reached: RunSoFar,
  style: Style,
  columns: number,
  rows: number,
): string[] {
  const { answer } = reached;
  if (answer.none !== null) return wrapped(soFarText(plan, reached), columns);
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
