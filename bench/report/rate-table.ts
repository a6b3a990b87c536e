import { CLOSED_LOOP, RATE } from "../record/cell.ts";
import type { CellFigures, OpenLoop, Quantile } from "../record/card.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import type { LatencyCell } from "../record/latency-schema.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { Summary } from "../record/summary.ts";
import type { RateAxis } from "../plan/rate-windows.ts";
import { lateMark } from "../judge/open-loop.ts";
import {
  dueText,
  peopleText,
  scheduleText,
  searchText,
  slowText,
  windowsText,
} from "../result/latency/wait-sentence.ts";
import { counted, formatCpu, formatRate, formatUs, orDash, percent } from "../basics/units.ts";
import { printable } from "./align.ts";
import { type ColumnOf, type Table, tableLines, tableOfColumns, type TitledTable } from "./table.ts";
import { joinedText, wallText } from "./machine-text.ts";
import type { TextOptions } from "./style.ts";
import { wrapped } from "./wrap.ts";
import { rowOf } from "../record/mark.ts";

/** Returns the rate that each server holds, comparisons between them, and a table of each at its rates. */
export function ratesText(
  run: RunRecord,
  summary: Summary,
  cards: readonly CellFigures[],
  options: TextOptions,
): string {
  const { latency = [], open_loop: { sentences = [] } = {} } = summary;
  const { style, columns } = options;
  const { hosts, plan, machine, grade, further_generators: generators = [] } = run;
  const axis = plan.further as RateAxis;
  const { version = "" } = generators.find(({ name }) => name === axis.generator) ?? {};
  const wrap = (text: string) => wrapped(printable(text), columns);
  const sections = latency.map((cell) => [
    "",
    ...wrap(cell.name).map(style.bold),
    ...serverLines(plan, cell, ratesOfServer(cell, summary, cards), options),
  ]);
  const head = `${machine.cpu_kind}, grade ${grade.grade}; open loop by ${`${axis.generator} ${version}`.trim()}, ` +
    `${windowsText(plan, axis)}${wallText(run)}`;
  const lines = [
    ...[...sentences, ...latency.map(({ name, sentence }) => `${name} ${sentence}`)].flatMap((text) => {
      const [first, ...others] = wrapped(printable(text), columns - 2);
      return [first!, ...others.map((line) => `  ${line}`)].map(style.bold);
    }),
    ...rateTexts(summary).flatMap(wrap),
    "",
    ...wrap(head).map(style.dim),
    ...(hosts === undefined ? [] : wrap(joinedText(hosts))),
    ...sections.flat(),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns a sentence for each rate at which cells are compared. */
export const rateTexts = ({ open_loop }: Pick<Summary, "open_loop">): string[] =>
  (open_loop?.rates ?? []).map(({ sentence }) => sentence);

/** Returns the table of each server at its rates, its closed loop first. */
export const rateTables = (plan: WordedPlan, summary: Summary, cards: readonly CellFigures[]): TitledTable[] =>
  (summary.latency ?? []).map((cell) => {
    const { closed, atRates } = ratesOfServer(cell, summary, cards);
    return { title: cell.name, ...ratedTable(plan, closed === undefined ? atRates : [closed, ...atRates], true) };
  });

interface RatedServer {
  readonly closed: CellFigures | undefined;
  readonly atRates: readonly CellFigures[];
  readonly contradictions: readonly string[];
}

/** Returns the cards and marks of a server of a run along the axis `rate`. */
export function ratesOfServer(
  { closed, at_rates }: Pick<LatencyCell, "closed" | "at_rates">,
  { cells }: Pick<Summary, "cells">,
  cards: readonly CellFigures[],
): RatedServer {
  const marks = cells.find(({ name }) => name === closed)?.marks ?? [];
  return {
    closed: cards.find(({ name }) => name === closed),
    atRates: at_rates.flatMap((name) => cards.find((card) => card.name === name) ?? []),
    contradictions: marks.filter((one) => rowOf(one).contradicts).map(({ text }) => text),
  };
}

function serverLines(plan: Plan, cell: LatencyCell, server: RatedServer, options: TextOptions): string[] {
  const { style, columns, all = false } = options;
  const { knee } = cell;
  const { closed, atRates, contradictions } = server;
  const axis = plan.further as RateAxis;
  const note = (text: string, indent = 2) =>
    wrapped(printable(text), columns - indent).map((line) => " ".repeat(indent) + line);
  const schedule = scheduleText(atRates, axis.generator);
  return [
    ...tableLines(ratedTable(plan, closed === undefined ? atRates : [closed, ...atRates], all), options, 0),
    ...lostTexts(server).flatMap((text) => note(text)).map(style.yellow),
    ...(schedule === null ? [] : note(schedule)),
    ...windowHints(atRates).flatMap((text) => note(text)),
    ...(knee === null || knee.steps.length === 0 ? [] : note(searchText(knee, axis.limit!))),
    ...(knee === null || knee.per_second === null || contradictions.length > 0
      ? []
      : note(peopleText(knee.per_second))),
    ...(all && knee !== null ? note(knee.steps.map(stepText).join(", "), 4) : []),
  ];
}

/** Returns which windows of a server do not count or are withheld, with the reasons. */
export function lostTexts({ closed, atRates }: RatedServer): string[] {
  const parts: readonly (readonly [string, readonly CellFigures[]])[] = [
    ["closed loop", closed === undefined ? [] : [closed]],
    ["window", atRates],
  ];
  const late = atRates.flatMap(({ cell, open_loop }) => {
    const found = open_loop === undefined ? null : lateMark(open_loop.by_clock, "p50", "p99");
    return found === null ? [] : [{ rate: rateName(String(cell.point.at[RATE])), found }];
  });
  const lost = parts.flatMap(([what, cards]) => {
    const all = cards.reduce((sum, { observations }) => sum + observations, 0);
    const lost = cards.reduce((sum, card) => sum + card.observations - card.observations_ok, 0);
    const reasons = oncePerCode(cards.flatMap(({ marks }) => marks)).join("; ");
    return lost === 0 ? [] : [`${lost} of ${counted(all, what)} ${lost === 1 ? "does" : "do"} not count: ${reasons}`];
  });
  const rates = late.map(({ rate }) => rate).join(", ");
  return [...lost, ...oncePerCode(late.map(({ found }) => found)).map((text) => `${rates} ${text}`)];
}

type Column = readonly [...ColumnOf<CellFigures>, of?: (cards: readonly OpenLoop[]) => boolean];

const dueOf = ({ open_loop: loop }: OpenLoop) => loop?.by_clock.due;

const COLUMNS: readonly Column[] = [
  ["at", ({ cell }) => rateName(String(cell.point.at[RATE]))],
  ["req/s", (card) => orDash(card.open_loop?.offered_per_second ?? card.requests_per_second, formatRate)],
  ["answered", ({ open_loop: loop }) => orDash(loop?.answered_share, percent)],
  [
    "never sent",
    ({ open_loop: loop }) => orDash(loop?.dropped, String),
    (cards) => cards.some(({ open_loop: loop }) => (loop?.dropped ?? 0) > 0),
  ],
  ["p50", (card) => orDash(dueOf(card)?.p50?.us, formatUs)],
  ["p99", (card) => orDash(dueOf(card)?.p99?.us, formatUs)],
  ["95 % of it", (card) => intervalText(dueOf(card)?.p99 ?? null)],
  ["p99.9", (card) => orDash(dueOf(card)?.p999?.us, formatUs)],
  // Latencies of a closed loop count from when requests were sent.
  [
    "p99 when sent",
    ({ open_loop: loop, p99_us }) => orDash(loop === undefined ? p99_us : loop.by_clock.sent.p99?.us, formatUs),
  ],
];

const CPU: Column = ["CPU/req", ({ cpu_ns_per_request: ns }) => orDash(ns, formatCpu)];

function ratedTable(plan: WordedPlan, cards: readonly CellFigures[], all: boolean): Table {
  const columns = [...COLUMNS.filter(([, , of]) => of === undefined || of(cards)), ...(all ? [CPU] : [])];
  return tableOfColumns(cards, columns.map(([head, text]) => [inWords(plan, head), text] as const));
}

const intervalText = (quantile: Quantile | null): string =>
  quantile === null || quantile.coverage === null
    ? "–"
    : `[${formatUs(quantile.low_us)}, ${formatUs(quantile.high_us)}]`;

const rateName = (rate: string): string =>
  rate === CLOSED_LOOP ? CLOSED_LOOP : rate.endsWith("%") ? `${rate.slice(0, -1)} %` : "given";

type Step = NonNullable<LatencyCell["knee"]>["steps"][number];

const stepText = ({ per_second, holds }: Step) =>
  `${formatRate(per_second)} ${holds === null ? "not judged" : holds ? "holds" : "does not"}`;

/** Returns which rates had slow windows, and how to get intervals; nothing if they are there, or no window counts. */
export const windowHints = (cards: readonly CellFigures[]): string[] => [
  ...cards.flatMap((card) => {
    const slow = slowText(card);
    return slow === "" ? [] : `at ${dueText(card.open_loop!.offered_per_second)} ${slow}`;
  }),
  ...cards.some(({ open_loop }) => open_loop?.by_clock.due.p99?.coverage === null)
    ? ["a 95 % interval needs 6 windows that count: --rounds 6"]
    : [],
];

function oncePerCode(marks: readonly Mark[]): string[] {
  return [...Map.groupBy(marks, ({ code }) => code).values()].map((alike) => {
    const texts = [...new Set(alike.map(({ text }) => text))];
    return texts.length === 1 ? texts[0]! : `${texts[0]} (and ${texts.length - 1} more of the kind)`;
  });
}
