import { AA } from "../record/cell.ts";
import { shellQuoted } from "../basics/shell.ts";
import type { CellFigures, CellOutcome, Subject } from "../record/card.ts";
import type { LinkSeen } from "../result/link-seen.ts";
import { inWords } from "../record/in-words.ts";
import { listed } from "../result/questions.ts";
import { countsText, verdictCounts } from "../result/verdict-counts.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { counted, formatRate, percent } from "../basics/units.ts";
import { padded, printable, widthOf } from "./align.ts";
import { isFaulty } from "./badge.ts";
import { contextTexts, furtherTexts, settlingOf, visibleTexts } from "./answer.ts";
import { GRADE_MEANING, hostTexts } from "./machine-text.ts";
import { questionTexts } from "./question-texts.ts";
import { whyCommand } from "./rerun-command.ts";
import { leftOutText } from "./measure-text.ts";
import { spokenCeilings } from "./metrics.ts";
import type { TextWish } from "./style.ts";
import { wrappedCommand } from "./fit-text.ts";
import { itemLines, wrapped } from "./wrap.ts";
import { rowOf } from "../record/mark.ts";
import { ALL_BOUNDS, BOUND } from "../record/bound-table.ts";

/**
 * How sure a run is and what to do next; with `all` also what its limits were and where it took place.
 *
 * @param seen the link between the hosts as the windows of the run saw it
 */
export function closingLines(
  run: Pick<RunRecord, "run" | "state" | "plan" | "grade" | "against" | "machine" | "hosts">,
  summary: Summary,
  cards: readonly CellFigures[],
  { style, columns, all = false, given = {} }: TextWish,
  seen: LinkSeen | null = null,
): string {
  if (cards.length === 0) return "";
  const { answer } = summary;
  const settling = settlingOf(run, answer);
  const counts = verdictCounts(summary.families.flatMap(({ comparisons }) => comparisons));
  const visible = visibleTexts(summary);
  // Without an answer these counts are one of its reasons.
  const isCounted = answer.none?.some(({ code }) => code === "undecided") ?? false;
  const texts = [
    ...(counts.all === 0 ? [] : [[...(isCounted ? [] : [countsText(counts)]), ...visible].join("; ")]),
    ...(all ? [floorText(summary)] : []),
    ...boundTexts(summary, cards, all).map((text) => inWords(run.plan, text)),
    ...leakTexts(summary),
    ...[leftOutText(run.plan), notComparedText(run.plan, summary)].filter((text) => text !== null),
    ...checkTexts(summary, all),
    ...hostLines(run, seen),
    ...(all ? [`machine ${run.grade.grade}: ${GRADE_MEANING[run.grade.grade]}`] : []),
    ...(settling === null || run.state !== "finished" ? [] : [settling.text]),
  ];
  const why = run.state === "finished" ? whyCommand(run, summary) : null;
  const results = given.results === undefined ? "" : ` --results ${shellQuoted(given.results)}`;
  const named = `${given.run === undefined ? "" : ` ${shellQuoted(given.run)}`}${results}`;
  const next = run.state === "finished" ? settling?.command : `bench run --resume ${shellQuoted(run.run)}`;
  const command = (words: string) =>
    wrappedCommand(printable(`${words}${results}`), columns - 4).map((line) => style.dim(`    ${line}`));

  return [
    style.bold("How sure"),
    ...texts.filter((text) => text !== "").flatMap((text) => itemLines(text, columns)),
    ...(run.state === "finished" ? [] : ["  this goes on with it:"]),
    ...(next === null || next === undefined ? [] : command(next)),
    ...(why === null ? [] : [
      ...wrapped(printable(`why ${why.over} is faster than ${why.under}:`), columns - 2).map((line) => `  ${line}`),
      ...command(why.command),
    ]),
    ...[...(all ? [] : [`bench show${named} --all: all of it`]), `bench report${named}: a page with pictures`]
      .flatMap((line) => wrappedCommand(printable(line), columns - 2).map((part) => style.dim(`  ${part}`))),
    "",
    "",
  ].join("\n");
}

/** The axes of which a plan has no two values together, nor each alone in rounds enough; null if there is none. */
function notComparedText({ axes }: RunRecord["plan"], { questions, families }: Summary): string | null {
  const without = questions.filter(({ axis }) => axis !== null && !families.some((family) => family.axis === axis));
  const titles = without.map(({ axis }) => axes.find(({ name }) => name === axis)?.title.toLowerCase() ?? axis!);
  if (titles.length === 0) return null;
  return `not compared: ${listed(titles)}, as the plan has no two values together, nor each alone in three rounds`;
}

/** Cells that were not measured well enough, and those that cannot be measured, in a line for each reason; empty without. */
export function faultyLines(cards: readonly (Subject & CellOutcome)[], { style, columns }: TextWish): string {
  const failed = cards.filter(({ cell, status }) => cell.label !== AA && status !== "ok");
  const lines = [...Map.groupBy(failed, ({ status, marks }) => `${status}: ${marks[0]?.text ?? "no reason kept"}`)]
    .flatMap(([why, same]) => {
      const names = same.slice(0, MOST_NAMED).map(({ name }) => name).join(", ");
      const more = same.length > MOST_NAMED ? ` and ${same.length - MOST_NAMED} more` : "";
      const faulty = isFaulty(same[0]!);
      return wrapped(printable(`${names}${more}: ${why}`), columns - 4).map((line, n) =>
        faulty ? `${n === 0 ? style.red("✗") : " "} ${style.red(line)}` : style.dim(`${n === 0 ? "–" : " "} ${line}`)
      );
    });
  return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
}

const MOST_NAMED = 3;

function hostLines(run: Pick<RunRecord, "machine" | "hosts">, seen: LinkSeen | null): string[] {
  const texts = hostTexts(run, seen);
  return texts === null
    ? []
    : [`servers: on ${texts.server}`, `load: from ${texts.load}`, `between them: ${texts.link}`];
}

/** The answer, question by question, then its scope and its caveats. */
export function answerLines(
  { plan }: Pick<RunRecord, "plan">,
  { answer }: Pick<Summary, "answer">,
  { style, columns }: TextWish,
): string {
  const questions = questionTexts(answer);
  const heads = questions.map(({ title }) => printable(title).toUpperCase());
  const indent = Math.min(16, Math.max(0, ...heads.map(widthOf)) + 2);
  const headed = (head: string, texts: readonly string[]) => {
    const lines = texts.flatMap((text, n) =>
      wrapped(printable(text), columns - indent).map((line) => n === 0 ? style.bold(line) : line)
    );
    const fits = widthOf(head) + 2 <= indent;
    return [
      ...(fits ? [] : [style.bold(head)]),
      ...lines.map((line, n) =>
        `${n === 0 && fits ? style.bold(padded(head, indent, "right")) : " ".repeat(indent)}${line}`
      ),
    ];
  };
  const reported = answer.none === null ? questions : [];
  return [
    ...(answer.none === null ? [] : wrapped(printable(answer.sentence), columns).map(style.bold)),
    ...reported.flatMap(({ texts }, n) => headed(heads[n]!, texts)),
    ...contextTexts(answer).flatMap((text) => wrapped(printable(text), columns)),
    ...furtherTexts(answer).flatMap((text) => wrapped(printable(text), columns)),
    ...(plan.cells.length === 0 ? [] : [""]),
  ].join("\n");
}

/** Servers that seem to leak, whose state soon differs from the measured one. */
const leakTexts = ({ cells }: Summary): string[] =>
  cells.filter(({ cell }) => cell.label !== AA).flatMap(({ name, marks }) =>
    marks.filter((one) => rowOf(one).grows).map(({ text }) => `leak: ${name}: ${text}`)
  );

const HELD = { yes: "met", no: "not met", unknown: "open" } as const;

/** The number of the suite's expectations that hold, and those that do not; with `all` each, failures last. */
function checkTexts({ checks }: Pick<Summary, "checks">, all: boolean): string[] {
  if (checks.length === 0) return [];
  const of = Map.groupBy(checks, ({ holds }) => holds);
  const [yes = [], unknown = [], no = []] = (["yes", "unknown", "no"] as const).map((holds) => of.get(holds));
  const reported = all ? [...yes, ...unknown, ...no] : no;
  return [
    `expectations of the suite: ${yes.length} of ${checks.length} met` +
    `${no.length === 0 ? "" : `, ${no.length} not met`}${unknown.length === 0 ? "" : `, ${unknown.length} open`}`,
    ...reported.map(({ name, holds, seen, expected }) => `${HELD[holds]}: ${name}: ${seen}; expected ${expected}`),
  ];
}

/** The number of cells with another limit than their server, and with `all` the ceiling. Marks name other limits. */
function boundTexts(summary: Summary, all: readonly CellFigures[], whole: boolean): string[] {
  const cards = all.filter((card) => card.cell.label !== AA && card.observations_ok > 0);
  const counts = ALL_BOUNDS.toReversed().map((bound) => ({
    ...BOUND[bound],
    cells: cards.filter((card) => card.bound === bound).length,
  }));
  const ceiling = ceilingText(summary);
  const parts = counts.flatMap(({ counted: words, level, cells }) => {
    if (level === null) {
      return whole || cells < cards.length ? [`${words} in ${cells} of ${counted(cards.length, "cell")}`] : [];
    }
    return words === undefined || cells === 0 ? [] : [`${words} in ${cells}`];
  });
  const overLink = summary.ceilings.some(({ bound }) => bound === "network");
  if (whole && ceiling !== null) {
    parts.push(`the generator's ceiling${overLink ? " over this link" : ""} is ${ceiling}`);
  }
  parts.push(...spokenCeilings(cards));
  return parts.length === 0 ? [] : [parts.join("; ")];
}

/** The rate of the generator against a server that does nothing: `96.0k req/s`; null if it was not measured. */
function ceilingText({ ceilings }: Pick<Summary, "ceilings">): string | null {
  const rates = ceilings.flatMap((ceiling) => ceiling.requests_per_second ?? []);
  if (rates.length === 0) return null;
  const [least, most] = [Math.min(...rates), Math.max(...rates)].map(formatRate);
  return least === most ? `${least} req/s` : `${least} to ${most} req/s, by kind of request`;
}

/** The margins that verdicts have to clear, by basis: how far the run differed from itself. */
function floorText({ noise_floor: { together, solo } }: Summary): string {
  const texts = ([["servers measured together", together], ["rates of each alone", solo]] as const).map(
    ([name, floor]) =>
      floor.kind === "unknown"
        ? `of ${name} it is not known, as ${floor.mark.text}`
        : floor.kind === "agree"
        ? `of ${name} ${percent(floor.delta)}`
        : `${name} found a cell unlike itself`,
  );
  return `noise floor: ${texts.join("; ")}`;
}
