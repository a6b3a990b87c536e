import { AA } from "../core/cell.ts";
import { percent } from "../core/percent.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary } from "../core/result/summary.ts";
import { formatRate } from "../core/units.ts";
import { printable } from "./align.ts";
import { answersOf } from "./answer.ts";
import { GRADE_MEANING } from "./grade.ts";
import type { Style } from "./style.ts";

/** How a run ends on a terminal: what to take under each condition, and the three things to know before believing it. */
export function closingLines(
  run: Pick<RunRecord, "plan" | "grade">,
  summary: Summary,
  cards: readonly CellCard[],
  style: Style,
): string {
  if (cards.length === 0) return "";
  const answers = answersOf(run, summary, cards).map(({ place, pick, sentences, proven }) =>
    `  ${style.bold(printable(place))}: ${printable(sentences[0]!)}${
      proven || pick === null ? "" : style.dim(" (not proven by verdicts)")
    }`
  );
  return [
    style.bold("What to take"),
    ...answers,
    "",
    style.bold("Before you believe it"),
    `  bound: ${boundText(summary, cards)}`,
    `  noise: ${printable(noiseText(summary))}`,
    `  grade: ${run.grade.grade}, ${GRADE_MEANING[run.grade.grade]}`,
    "",
    "",
  ].join("\n");
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

function noiseText({ noise_floor: { duet, solo } }: Summary): string {
  const told = ([["duets", duet], ["single rates", solo]] as const).flatMap(([name, floor]) => {
    if (floor.kind === "unknown") return [];
    return floor.kind === "agree"
      ? `${name} tell differences from ${percent(floor.delta)} on`
      : `${name} found a cell unlike itself`;
  });
  if (told.length > 0) return told.join("; ");
  return duet.kind === "unknown" ? `not known: ${duet.reason}` : "not known";
}
