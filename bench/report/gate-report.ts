import { isJudged } from "../record/verdicts.ts";
import { APP_AXIS } from "../record/cell.ts";
import type { Comparison, NoVerdict } from "../record/comparison.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { UserRequest } from "../record/user-spec.ts";
import { isSpare } from "../plan/schedule.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Explanation } from "../record/explanation-schema.ts";
import type { Summary } from "../record/summary.ts";
import { disturbedIn } from "../result/run-marks.ts";
import { BASE, costTogether, type Gate, type GateOutcome, YOURS } from "../result/judge-gate.ts";
import { explanationText } from "./explanation-text.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { asSentence, counted, dash, formatCpu, percent } from "../basics/units.ts";
import { printable } from "./align.ts";
import { change } from "./comparison-table.ts";
import { GRADE_MEANING, machinesText } from "./machine-text.ts";
import {
  BLANK,
  markdownCode,
  markdownComment,
  markdownFile,
  markdownTable,
  type MarkdownText,
  md,
} from "./markdown.ts";
import { type Table, tableLines } from "./table.ts";
import type { Style } from "./style.ts";
import { isOfOthers } from "../judge/status.ts";

/** Both revisions, for people. */
export interface Revisions {
  readonly base_ref: string;
  readonly base_commit: string;
  /** The commit of `base_ref`, which may have gone on since the base. */
  readonly named_commit: string;
  readonly head_commit: string;
  readonly head_changed: boolean;
  /** Paths of yours that were copied into the base. */
  readonly carried: readonly string[];
  /** A line with files that git ignores and only the changed version has; null if there are none. */
  readonly lacking: string | null;
}

interface ChangedReply {
  readonly text: string;
}

/** How a gate ended: without a base, not measured because statuses differ, or measured. */
export type GateReport =
  & { readonly pair: Revisions; readonly module: string; readonly limit: number }
  & (
    | { readonly kind: "nothing-to-compare" }
    | {
      readonly kind: "other-status";
      readonly changed: readonly ChangedReply[];
      readonly requests: readonly UserRequest[];
    }
    | {
      readonly kind: "measured";
      readonly changed: readonly ChangedReply[];
      readonly requests: readonly UserRequest[];
      readonly gate: Gate;
      readonly run: RunRecord;
      readonly summary: Summary;
      readonly lines: readonly Observation[];
      /** The run that this one was made in place of, since it contradicted itself; null for a first one. */
      readonly insteadOf: string | null;
      readonly explanation?: Explanation;
    }
  );

/** A gate that was measured. */
export type MeasuredGate = GateReport & { readonly kind: "measured" };

/** Base and yours at the place of the worst regression; empty without one. */
export function grownCells({ gate, summary }: Pick<MeasuredGate, "gate" | "summary">): Cell[] {
  const place = gate.outcome === "regression" ? deciding(gate) : undefined;
  const names = place === undefined ? [] : [place.comparison.over, place.comparison.under];
  return names.flatMap((name) => summary.cells.find((each) => each.name === name)?.cell ?? []);
}

/** A revision as it was given; a full commit by its first seven digits. */
const nameOf = ({ base_ref }: Revisions) => /^[0-9a-f]{40,}$/.test(base_ref) ? base_ref.slice(0, 7) : base_ref;

/** The base: the revision that was named, or the commit at which the branch left it. */
const refOf = (pair: Revisions) =>
  pair.base_commit === pair.named_commit
    ? nameOf(pair)
    : `${pair.base_commit.slice(0, 7)}, where it left ${nameOf(pair)}`;

/** The sign of an outcome, and its words before and after the costs, up to the limit. */
const OUTCOMES: Readonly<Record<GateOutcome, readonly [sign: string, head: string, end: (limit: string) => string]>> = {
  regression: ["✗", "Regression", (limit) => `, beyond the limit of ${limit}`],
  "no-regression": ["✓", "No regression", (limit) => `, within the limit of ${limit}`],
  "not-proven": ["–", "Not proven", (limit) => `: whether that is beyond ${limit} this run cannot tell`],
};

const limitText = (limit: number) => percent(limit, Number.isInteger(Math.round(limit * 1e6) / 1e4) ? 0 : 1);
const rangeOf = ({ low, high }: NonNullable<Comparison["interval"]>) => `${change(low)} to ${change(high)}`;

type GatePlace = Gate["places"][number];

/** The place a headline is about: the worst of those that decided it. */
function deciding({ outcome, places }: Gate): GatePlace | undefined {
  return places.filter((place) => place.outcome === outcome)
    .toSorted((a, b) => (b.comparison.ratio ?? Infinity) - (a.comparison.ratio ?? Infinity))[0];
}

/** True if nothing was measured, or there is no verdict at all: with --strict such a gate fails. */
export const provesNothing = (report: GateReport): boolean =>
  report.kind !== "measured" || report.gate.places.every(({ comparison }) => !isJudged(comparison));

/** The doubt for which a comparison of a gate has no verdict: that others had the machine, else the comparison's first. */
const doubtOf = ({ summary }: Pick<MeasuredGate, "summary">, { marks }: NoVerdict): Mark =>
  summary.marks.find(isOfOthers) ?? marks[0]!;

/** The result in one sentence. */
export function gateSentence(report: GateReport): string {
  const { pair, limit } = report;
  const base_ref = refOf(pair);
  if (report.kind === "nothing-to-compare") {
    return `Nothing was measured: ${base_ref} has no ${report.module} to hold it against`;
  }
  if (report.kind === "other-status") return `Nothing was measured: it answers with other statuses than ${base_ref}`;
  const { gate } = report;
  const place = deciding(gate);
  const comparison = place?.comparison;
  if (comparison === undefined) return "Nothing was measured: no two cells were compared";
  if (!isJudged(comparison)) {
    return `${provesNothing(report) ? "No verdict" : "Not proven"}: ${doubtOf(report, comparison).text}`;
  }
  const at = gate.places.length > 1 ? `, at ${place!.title},` : "";
  const { ratio, interval } = comparison;
  const more = `${percent(Math.abs(ratio - 1))} ${ratio >= 1 ? "more" : "less"}`;
  const [, head, end] = OUTCOMES[gate.outcome];
  return `${head}: ${more} CPU time per request${at} than ${base_ref} (${rangeOf(interval)})${end(limitText(limit))}`;
}

/** @param headline the place whose doubt the sentence has */
const says = ({ outcome, comparison }: GatePlace, headline: GatePlace | undefined) =>
  outcome === "regression"
    ? "slower"
    : outcome === "not-proven"
    ? `not proven${
      !isJudged(comparison) && comparison !== headline?.comparison ? `: ${comparison.marks[0]!.text}` : ""
    }`
    : comparison.interval !== null && comparison.interval.high < 1
    ? "faster"
    : "no slower";

function tableOf({ gate, summary, lines, run, module }: MeasuredGate): Table {
  const cost = (title: string, app: string) => {
    const family = summary.families.find((one) => one.title === title && one.axis === APP_AXIS);
    const card = summary.cells.find(({ cell, name }) =>
      cell.point.at[APP_AXIS] === app && family?.comparisons.some(({ over, under }) => over === name || under === name)
    );
    return dash(card && costTogether(lines, card.cell), formatCpu);
  };
  const runtimes = run.runtimes.map(({ name }) => name).join(", ");
  return {
    isText: (column) => column === 0 || column === 5,
    heads: ["", BASE, YOURS, "change", "interval", `${YOURS} is`],
    rows: gate.places.map((place) => [
      place.title || runtimes || module,
      cost(place.title, BASE),
      cost(place.title, YOURS),
      dash(place.comparison.ratio, change),
      place.comparison.interval === null ? "–" : rangeOf(place.comparison.interval),
      says(place, deciding(gate)),
    ]),
  };
}

const baseText = (pair: Revisions) => {
  const [ref, named] = [nameOf(pair), pair.named_commit.slice(0, 7)];
  return ref === named ? refOf(pair) : `${refOf(pair)} (${named})`;
};
const headText = ({ head_commit, head_changed }: Revisions) =>
  `${head_commit.slice(0, 7)}${head_changed ? " with changes" : ""}`;

/** The observations in which others had the machine, unless they are named, and those made instead. */
export function disturbedTexts(
  { run: { plan }, lines }: {
    readonly run: { readonly plan: Pick<RunRecord["plan"], "rounds" | "spare_rounds"> };
    readonly lines: readonly Pick<Observation, "kind" | "round" | "status" | "marks" | "counters" | "members">[];
  },
  isNamed = false,
): string[] {
  const disturbed = disturbedIn(lines);
  if (disturbed === null) return [];
  const made = lines.filter((line) => isSpare(plan, line)).length;
  const most = plan.spare_rounds === undefined ? "" : ` (at most ${counted(plan.spare_rounds, "round")} of them)`;
  const instead = made === 0 ? [] : [`${counted(made, "spare one was", "spare ones were")} made in their place${most}`];
  const texts = [...(isNamed ? [] : [disturbed.text]), ...instead];
  return texts.length === 0 ? [] : [asSentence(texts.join("; "))];
}

/** Why there are two runs; nothing where there is one. */
export const insteadText = (insteadOf: string | null): string[] =>
  insteadOf === null ? [] : [
    `Run ${insteadOf} found a difference between a cell and itself, so it says nothing: this one was made in its place.`,
  ];

function explained({ run, summary, gate, limit, pair, requests, lines, insteadOf }: MeasuredGate): string[] {
  const judged = gate.places.flatMap(({ comparison }) => !isJudged(comparison) ? [] : comparison.rounds);
  const made = new Set(lines.filter(({ kind }) => kind === "ensemble").map(({ round }) => round)).size;
  const rounds = Math.min(...judged, made);
  const headline = deciding(gate)?.comparison;
  const isNamed = headline !== undefined && !isJudged(headline) && isOfOthers(doubtOf({ summary }, headline));
  const level = gate.places[0]?.comparison.interval?.level;
  const kinds = requests.map(({ method, path }) => `${method} ${withoutSecrets(path)}`);
  const sent = kinds.length <= 3 ? kinds.join(", ") : counted(kinds.length, "kind of request", "kinds of request");
  return [
    ...summary.marks.filter((one) => !isOfOthers(one)).map(({ text }) => text),
    ...summary.answer.marks.filter(({ code }) => code === "cold-cache").map(({ text }) => text),
    `CPU time per request of the base, ${baseText(pair)}, and of yours, ${headText(pair)}, under ` +
    `${sent}, both by turns on one core, in ${counted(rounds, "round")}${
      level === undefined ? "" : `; intervals at ${percent(level, 0)}`
    }.`,
    ...disturbedTexts({ run, lines }, isNamed),
    ...insteadText(insteadOf),
    ...(pair.carried.length === 0 ? [] : [`The base has copies of yours of ${pair.carried.join(", ")}.`]),
    ...(pair.lacking === null ? [] : [`${pair.lacking}.`]),
    `It fails only where a whole interval lies beyond ${limitText(limit)}; what is not proven passes.`,
    `Grade ${run.grade.grade}: ${GRADE_MEANING[run.grade.grade]}. Run ${run.run} on ${
      [machinesText(run), ...run.runtimes.map(({ name, version }) => `${name} ${version}`)].join(", ")
    }.`,
  ];
}

/** The parts of a gate that each output draws; those that need a measurement are absent without one. */
function drawn(report: GateReport) {
  const measured = report.kind === "measured" ? report : undefined;
  const changed = report.kind === "nothing-to-compare" ? [] : report.changed.map(({ text }) => text);
  return {
    outcome: measured?.gate.outcome ?? "not-proven",
    sentence: gateSentence(report),
    table: measured !== undefined && measured.gate.places.length > 0 ? tableOf(measured) : undefined,
    title: changed.length === 0 ? [] : [`Replies have changed (${counted(changed.length, "request")}):`],
    changed,
    evidence: measured === undefined ? [] : explained(measured),
    explanation: measured?.explanation,
  };
}

/** A gate for a terminal. */
export function gateText(report: GateReport, style: Style, columns: number): string {
  const { outcome, sentence, table, title, changed, evidence, explanation } = drawn(report);
  const paint = outcome === "regression" ? style.red : style.bold;
  const grown = outcome === "regression" ? ["What grew: the same bench gate with --explain says it."] : [];
  return [
    "",
    paint(printable(sentence)),
    "",
    ...(table === undefined ? [] : [...tableLines(table, { style, columns }, 0), ""]),
    ...title,
    ...changed.map((text) => `  ${printable(text)}`),
    ...evidence.map(printable),
    ...(explanation === undefined ? grown : ["", explanationText(explanation, { style, columns }).trimEnd()]),
    "",
  ].join("\n");
}

/** A gate for a pull request; its invisible first line lets a later run find and replace the comment. */
export function gateMarkdown(report: GateReport): MarkdownText {
  const { outcome, sentence, table, title, changed, evidence, explanation } = drawn(report);
  return markdownFile([
    markdownComment(`levelfield gate: ${report.module}`),
    md`### ${OUTCOMES[outcome][0]} ${markdownCode(report.module)}: ${sentence}`,
    BLANK,
    ...(table === undefined ? [] : [...markdownTable(table), BLANK]),
    ...title.flatMap((text) => [md`${text}`, BLANK]),
    ...changed.map((text) => md`- ${text}`),
    ...(changed.length === 0 ? [] : [BLANK]),
    ...(explanation?.difference ? [md`**What grew:** ${explanation.difference.sentence}`, BLANK] : []),
    ...evidence.map((text) => md`${text}  `),
    BLANK,
  ]);
}
