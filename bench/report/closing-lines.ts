import { AA } from "../core/cell.ts";
import { percent } from "../core/percent.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary } from "../core/result/summary.ts";
import { formatRate } from "../core/units.ts";
import { printable } from "./align.ts";
import { furtherTexts, questionLines, settlingOf } from "./answer.ts";
import { GRADE_MEANING } from "./grade.ts";
import type { Style } from "./style.ts";

/** How a run ends on a terminal: what to take, what would settle the rest, and what to know before believing it. */
export function closingLines(
  run: Pick<RunRecord, "plan" | "grade" | "against">,
  summary: Summary,
  cards: readonly CellCard[],
  style: Style,
): string {
  if (cards.length === 0) return "";
  return [
    style.bold("What to take"),
    ...answerLines(run, summary, style),
    "",
    style.bold("Before you believe it"),
    `  bound: ${boundText(summary, cards)}`,
    `  noise: ${printable(noiseText(summary))}`,
    `  grade: ${run.grade.grade}, ${GRADE_MEANING[run.grade.grade]}`,
    "",
    "",
  ].join("\n");
}

const MARKS = { proven: "green", partly: "yellow", open: "yellow" } as const;

/** The answer, a line for each question with its mark, what else must be known, and what would settle the rest. */
function answerLines(run: Pick<RunRecord, "plan" | "against">, { answer }: Summary, style: Style): string[] {
  const settling = settlingOf(run, answer);
  return [
    `  ${style.bold(printable(answer.sentence))}`,
    ...questionLines(answer).map(({ head, text }, n) => {
      const marked = style[MARKS[answer.questions[n]!.mark]](printable(head));
      return `  ${marked}${text === "" ? "" : `. ${printable(text)}`}`;
    }),
    ...furtherTexts(answer).map((text) => `  ${printable(text)}`),
    ...(settling === null ? [] : [`  To settle it: ${printable(settling.text)}`]),
    ...(settling?.command ? [style.dim(`    ${printable(settling.command)}`)] : []),
  ];
}

function boundText(summary: Summary, all: readonly CellCard[]): string {
  const cards = all.filter((card) => card.cell.label !== AA && card.observations_ok > 0);
  const count = (bound: CellCard["bound"]) => cards.filter((card) => card.bound === bound).length;
  const ceiling = ceilingText(summary);
  const parts = [`the server was the limit in ${count("server")} of ${cards.length} cells`];
  if (count("generator") > 0) parts.push(`the load generator in ${count("generator")}, shown as "≥" and not ranked`);
  if (count("neither") > 0) parts.push(`neither in ${count("neither")}`);
  if (count("unknown") > 0) parts.push(`not known in ${count("unknown")}`);
  if (ceiling !== null) parts.push(`the generator's ceiling is ${ceiling}`);
  return parts.join("; ");
}

/** What the generator reached against a server that does nothing: `96.0k req/s`; null where it was not measured. */
export function ceilingText({ ceilings }: Pick<Summary, "ceilings">): string | null {
  const rates = ceilings.flatMap((ceiling) => ceiling.requests_per_second ?? []);
  if (rates.length === 0) return null;
  const [least, most] = [Math.min(...rates), Math.max(...rates)].map(formatRate);
  return least === most ? `${least} req/s` : `${least} to ${most} req/s, by kind of request`;
}

function noiseText({ noise_floor: { together, solo } }: Summary): string {
  const told = ([["servers measured together", together], ["single rates", solo]] as const).flatMap(([name, floor]) => {
    if (floor.kind === "unknown") return [];
    return floor.kind === "agree"
      ? `${name} tell differences from ${percent(floor.delta)} on`
      : `${name} found a cell unlike itself`;
  });
  if (told.length > 0) return told.join("; ");
  return together.kind === "unknown" ? `not known: ${together.reason}` : "not known";
}
