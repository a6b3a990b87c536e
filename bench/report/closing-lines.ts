import { AA } from "../record/cell.ts";
import { percent } from "../basics/percent.ts";
import type { CellCard } from "../record/card.ts";
import type { LinkSeen } from "../result/link-seen.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { counted, formatRate } from "../basics/units.ts";
import { printable } from "./align.ts";
import { furtherTexts, questionTexts, scopeText, settlingOf } from "./answer.ts";
import { GRADE_MEANING } from "./grade.ts";
import { hostTexts } from "./hosts-text.ts";
import type { Style } from "./style.ts";
import { wrappedCommand } from "./fit-text.ts";
import { wrapped } from "./wrap.ts";

/**
 * How a run ends on a terminal: what to take, what would settle the rest, and what to know before believing it.
 *
 * @param seen what its windows say of the link between its hosts; null where there is none, or they are not at hand
 */
export function closingLines(
  run: Pick<RunRecord, "plan" | "grade" | "against" | "machine" | "hosts">,
  summary: Summary,
  cards: readonly CellCard[],
  style: Style,
  columns = Infinity,
  seen: LinkSeen | null = null,
): string {
  if (cards.length === 0) return "";
  return [
    style.bold("What to take"),
    ...answerLines(run, summary, style, columns),
    "",
    style.bold("Before you believe it"),
    ...item(`bound: ${boundText(summary, cards)}`, columns),
    ...rateText(cards).flatMap((text) => item(text, columns)),
    ...item(`noise: ${noiseText(summary)}`, columns),
    ...leakTexts(summary).flatMap((text) => item(text, columns)),
    ...hostLines(run, seen).flatMap((text) => item(text, columns)),
    ...item(`grade: ${run.grade.grade}, ${GRADE_MEANING[run.grade.grade]}`, columns),
    "",
    "",
  ].join("\n");
}

/** Where it took place, for a run with hosts. */
function hostLines(run: Pick<RunRecord, "machine" | "hosts">, seen: LinkSeen | null): string[] {
  const texts = hostTexts(run, seen);
  return texts === null
    ? []
    : [`servers: on ${texts.server}`, `load: from ${texts.load}`, `between them: ${texts.link}`];
}

/** A text as lines that fit, the first two columns in, the others four. */
const item = (text: string, columns: number, paint = (line: string) => line): string[] =>
  wrapped(printable(text), columns - 4).map((line, n) => `${n === 0 ? "  " : "    "}${paint(line)}`);

/** The answer, question by question, where it holds, what else must be known, and what would settle the rest. */
function answerLines(
  run: Pick<RunRecord, "plan" | "against">,
  { answer }: Summary,
  style: Style,
  columns: number,
): string[] {
  const settling = settlingOf(run, answer);
  return [
    ...(answer.none === null ? [] : item(answer.sentence, columns, style.bold)),
    ...questionTexts(answer).flatMap(({ title, texts }) => [
      ...(answer.none === null ? item(`${title}: ${texts[0]}`, columns, style.bold) : []),
      ...texts.slice(1).flatMap((text) => item(text, columns - 2).map((line) => `  ${line}`)),
    ]),
    ...[scopeText(answer)].filter((text) => text !== "").flatMap((text) => item(text, columns)),
    ...furtherTexts(answer).flatMap((text) => item(text, columns)),
    ...(settling === null ? [] : item(`To settle it: ${settling.text}`, columns)),
    ...wrappedCommand(printable(settling?.command ?? ""), columns - 4).filter((line) => line !== "")
      .map((line) => style.dim(`    ${line}`)),
  ];
}

/** Servers that seem to leak: measured and judged all the same, but not for long what was measured. */
const leakTexts = ({ cells }: Summary): string[] =>
  cells.filter(({ cell }) => cell.label !== AA).flatMap(({ name, marks }) =>
    marks.filter(({ code }) => code === "leak").map(({ text }) => `leak: ${name}: ${text}`)
  );

function boundText(summary: Summary, all: readonly CellCard[]): string {
  const cards = all.filter((card) => card.cell.label !== AA && card.observations_ok > 0);
  const count = (bound: CellCard["bound"]) => cards.filter((card) => card.bound === bound).length;
  const ceiling = ceilingText(summary);
  const parts = [`the server was the limit in ${count("server")} of ${counted(cards.length, "cell")}`];
  if (count("generator") > 0) parts.push(`the load generator in ${count("generator")}, shown as "≥" and not ranked`);
  if (count("network") > 0) parts.push(`the network in ${count("network")}, shown as "≥" and not ranked`);
  if (count("neither") > 0) parts.push(`neither in ${count("neither")}`);
  if (count("unknown") > 0) parts.push(`not known in ${count("unknown")}`);
  const overLink = summary.ceilings.some(({ bound }) => bound === "network");
  if (ceiling !== null) parts.push(`the generator's ceiling${overLink ? " over this link" : ""} is ${ceiling}`);
  return parts.join("; ");
}

/** What figures of cells at a rate are, which nobody guesses; nothing without such cells. */
function rateText(cards: readonly CellCard[]): string[] {
  const own = cards.filter(({ open_loop }) => open_loop !== undefined);
  if (own.length === 0) return [];
  const due = own.some(({ p99_us }) => p99_us !== null);
  return [
    due
      ? "rate: times at a rate count from when a request was due, as somebody waits; by the sender's clock they would not"
      : "rate: this generator counts times from when it sent a request, which is not what somebody waits",
  ];
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
