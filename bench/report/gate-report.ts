import { isJudged } from "../record/verdicts.ts";
import type { Comparison } from "../record/comparison.ts";
import { isSpareStep } from "../plan/schedule.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { disturbedIn } from "../result/run-marks.ts";
import { BASE, costTogether, type GateOutcome, YOURS } from "../result/judge-gate.ts";
import { countedRows, countTexts } from "./gate-counts-table.ts";
import {
  decidingPlace,
  doubtOf,
  type GatePlace,
  type GateReport,
  type GateRun,
  type MeasuredGate,
  provesNothing,
  type Revisions,
} from "./gate-outcome.ts";
import { inWords } from "../record/in-words.ts";
import { explanationText, largestChanges } from "./explanation-text.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { asSentence, counted, formatCpu, orDash, percent } from "../basics/units.ts";
import { printable } from "./align.ts";
import { change } from "./comparison-table.ts";
import { GRADE_MEANING, machinesText } from "./machine-text.ts";
import {
  BLANK,
  markdownCode,
  markdownCommand,
  markdownComment,
  markdownFile,
  markdownTable,
  type MarkdownText,
  md,
} from "./markdown.ts";
import { type Table, tableLines } from "./table.ts";
import type { Style } from "./style.ts";
import { isOfOthers } from "../judge/status.ts";
import { shellQuoted } from "../basics/shell.ts";

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

/** Why nothing was measured, though both revisions are there. */
const UNMEASURED: Readonly<
  Record<Exclude<GateReport["kind"], "measured" | "refused">, (base: string, module: string) => string>
> = {
  "nothing-to-compare": (base, module) => `${base} has no ${module} to hold it against`,
  "other-status": (base) => `it answers with other statuses than ${base}`,
  "other-results": (base) => `it gives other results than ${base}`,
  "no-function": (base, module) => `no function of ${module} can be compared with ${base}`,
};

/** The result in one sentence. */
export function gateSentence(report: GateReport): string {
  if (report.kind === "refused") return `Nothing was measured: ${report.reason}`;
  const base_ref = refOf(report.pair);
  if (report.kind !== "measured") return `Nothing was measured: ${UNMEASURED[report.kind](base_ref, report.module)}`;
  const { gate, limit } = report;
  const place = decidingPlace(gate);
  const comparison = place?.comparison;
  if (comparison === undefined) return "Nothing was measured: no two cells were compared";
  if (!isJudged(comparison)) {
    return `${provesNothing(report) ? "No verdict" : "Not proven"}: ${doubtOf(report, comparison).text}`;
  }
  const at = gate.places.length > 1 ? `, at ${place!.title},` : "";
  const { ratio, interval } = comparison;
  const more = `${percent(Math.abs(ratio - 1))} ${ratio >= 1 ? "more" : "less"}`;
  const [, head, end] = OUTCOMES[gate.outcome];
  const what = inWords(report.run.plan, "CPU time per request");
  const after = place!.isUnconfirmed ? ", which a second run did not prove again" : end(limitText(limit));
  return `${head}: ${more} ${what}${at} than ${base_ref} (${rangeOf(interval)})${after}`;
}

/** @param headline the place whose doubt the sentence has */
const says = ({ outcome, comparison, isUnconfirmed }: GatePlace, headline: GatePlace | undefined) =>
  outcome === "regression"
    ? "slower"
    : isUnconfirmed
    ? "not proven twice"
    : outcome === "not-proven"
    ? `not proven${
      !isJudged(comparison) && comparison !== headline?.comparison ? `: ${comparison.marks[0]!.text}` : ""
    }`
    : comparison.interval !== null && comparison.interval.high < 1
    ? "faster"
    : "no slower";

function tableOf(report: MeasuredGate): Table {
  const again = report.second === null ? [] : rowsOf(report.second, report.module, ", again");
  return {
    isText: (column) => column === 0 || column === 5,
    heads: ["", BASE, YOURS, "change", "interval", `${YOURS} is`],
    rows: [...rowsOf(report, report.module, ""), ...again, ...countedRows(report)],
  };
}

/** The cost of base or yours at a place; null without a round that is ok. */
export function costAt({ gate, summary, lines }: GateRun, title: string, app: string): number | null {
  const family = summary.families.find((one) => one.title === title && one.axis === gate.axis);
  const card = summary.cells.find(({ cell, name }) =>
    cell.point.at[gate.axis] === app && family?.comparisons.some(({ over, under }) => over === name || under === name)
  );
  return card === undefined ? null : costTogether(lines, card.cell);
}

/** @param which run it is, after the place */
function rowsOf(made: GateRun, module: string, which: string): string[][] {
  const { gate, run } = made;
  const cost = (title: string, app: string) => orDash(costAt(made, title, app), formatCpu);
  const runtimes = run.runtimes.map(({ name }) => name).join(", ");
  return gate.places.map((place) => [
    (place.title || runtimes || module) + which,
    cost(place.title, BASE),
    cost(place.title, YOURS),
    orDash(place.comparison.ratio, change),
    place.comparison.interval === null ? "–" : rangeOf(place.comparison.interval),
    says(place, decidingPlace(gate)),
  ]);
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
  const made = lines.filter((line) => isSpareStep(plan, line)).length;
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

/** How two runs agree, and how often chance alone makes them; nothing without a second one. */
function confirmationText(
  { run, summary, second, gate }: Pick<MeasuredGate, "run" | "summary" | "second" | "gate">,
): string[] {
  if (second === null) return [];
  const level = summary.questions.find(({ axis }) => axis === gate.axis)?.level ?? 0;
  const runs =
    `Run ${run.run} (seed ${run.plan.seed}) proved a regression, and run ${second.run.run} of fresh processes ` +
    `(seed ${second.run.plan.seed})`;
  const end = gate.outcome === "regression"
    ? `proved it again. By chance both err in at most ${percent(((1 - level) / 2) ** 2, 2)} of gates without one; ` +
      "a cause that both share is not counted in that."
    : "did not prove it again: nothing is blamed.";
  return [`${runs} ${end}`, ...disturbedTexts(second), ...insteadText(second.insteadOf)];
}

function explained(report: MeasuredGate): string[] {
  const { run, summary, gate, limit, pair, requests, lines, insteadOf } = report;
  const judged = gate.places.flatMap(({ comparison }) => !isJudged(comparison) ? [] : comparison.rounds);
  const made = new Set(lines.filter(({ kind }) => kind === "ensemble").map(({ round }) => round)).size;
  const rounds = Math.min(...judged, made);
  const headline = decidingPlace(gate)?.comparison;
  const isNamed = headline !== undefined && !isJudged(headline) && isOfOthers(doubtOf({ summary }, headline));
  const level = gate.places[0]?.comparison.interval?.level;
  const kinds = requests.map(({ method, path }) => `${method} ${withoutSecrets(path)}`);
  const sent = kinds.length === 0
    ? "with the same inputs"
    : `under ${kinds.length <= 3 ? kinds.join(", ") : counted(kinds.length, "kind of request", "kinds of request")}`;
  return [
    ...summary.marks.filter((one) => !isOfOthers(one)).map(({ text }) => text),
    ...summary.answer.marks.filter(({ code }) => code === "cold-cache").map(({ text }) => text),
    `${inWords(run.plan, "CPU time per request")} of the base, ${baseText(pair)}, and of yours, ${headText(pair)}, ` +
    `${sent}, both by turns on one core, in ${counted(rounds, "round")}${
      level === undefined ? "" : `; intervals at ${percent(level, 0)}`
    }.`,
    ...disturbedTexts({ run, lines }, isNamed),
    ...insteadText(insteadOf),
    ...confirmationText(report),
    ...countTexts(report.counts),
    ...(report.drifts ?? []).map((text) => `Over time: ${text}`),
    ...report.leftOut,
    ...(pair.carried.length === 0 ? [] : [`The base has copies of yours of ${pair.carried.join(", ")}.`]),
    ...[pair.moved, pair.lacking].flatMap((line) => line === null ? [] : [`${line}.`]),
    `It fails only where a whole interval lies beyond ${limitText(limit)}; what is not proven passes.`,
    `Grade ${run.grade.grade}: ${GRADE_MEANING[run.grade.grade]}. Run ${run.run} on ${
      [machinesText(run), ...run.runtimes.map(({ name, version }) => `${name} ${version}`)].join(", ")
    }.`,
  ];
}

/** The parts of a gate that each output draws; those that need a measurement are absent without one. */
function drawn(report: GateReport) {
  const measured = report.kind === "measured" ? report : undefined;
  const ready = "changed" in report ? report : undefined;
  const changed = (ready?.changed ?? []).map(({ text }) => text);
  const counts = counted(changed.length, ...(report.kind === "other-results" ? ["result"] : ["request"]) as [string]);
  return {
    outcome: measured?.gate.outcome ?? "not-proven",
    sentence: gateSentence(report),
    table: measured !== undefined && measured.gate.places.length > 0 ? tableOf(measured) : undefined,
    title: changed.length === 0
      ? []
      : [`${report.kind === "other-results" ? "Results" : "Replies"} have changed (${counts}):`],
    changed,
    evidence: measured !== undefined
      ? explained(measured)
      : report.kind === "refused"
      ? report.hint === undefined ? [] : [`To try: ${report.hint}`]
      : [report.pair.moved ?? []].flat().map((line) => `${line}.`).concat(ready?.leftOut ?? []),
    explanation: measured?.explanation,
    repeat: measured && { command: measured.command, head: headText(measured.pair) },
  };
}

/** A gate for a terminal. */
export function gateText(report: GateReport, style: Style, columns: number): string {
  const { outcome, sentence, table, title, changed, evidence, explanation } = drawn(report);
  const paint = outcome === "regression" ? style.red : style.bold;
  return [
    "",
    paint(printable(sentence)),
    "",
    ...(table === undefined ? [] : [...tableLines(table, { style, columns }, 0), ""]),
    ...title,
    ...changed.map((text) => `  ${printable(text)}`),
    ...evidence.map(printable),
    ...(explanation === undefined ? [] : ["", explanationText(explanation, { style, columns }).trimEnd()]),
    "",
  ].join("\n");
}

/** A gate for a pull request; its invisible first line lets a later run find and replace the comment. */
export function gateMarkdown(report: GateReport): MarkdownText {
  const { outcome, sentence, table, title, changed, evidence, explanation, repeat } = drawn(report);
  const { difference = null, cells = [] } = explanation ?? {};
  return markdownFile([
    markdownComment(`levelfield gate: ${report.module}`),
    md`### ${OUTCOMES[outcome][0]} ${markdownCode(report.module)}: ${sentence}`,
    BLANK,
    ...(table === undefined ? [] : [...markdownTable(table), BLANK]),
    ...title.flatMap((text) => [md`${text}`, BLANK]),
    ...changed.map((text) => md`- ${text}`),
    ...(changed.length === 0 ? [] : [BLANK]),
    ...(difference === null ? [] : [
      md`**What grew:** ${difference.sentence}`,
      BLANK,
      ...largestChanges(difference, cells[1]!.name).map((text) => md`- ${text}`),
      BLANK,
    ]),
    ...evidence.map((text) => md`${text}  `),
    ...(repeat === undefined ? [] : [md`The same again, at ${repeat.head}: ${markdownCommand(repeat.command)}`]),
    BLANK,
  ]);
}

/** Options of a gate that say where results go, or what follows from them. */
const OF_RESULTS = "base,seed,output,json,markdown,history,results,data,strict,confirm,no-confirm,no-explain".split(
  ",",
);

/** The command that repeats a gate, without secrets: options in their order, the base by its commit, and the seed. */
export function gateCommandText(
  given: readonly (readonly [name: string, value: string | true])[],
  { base_commit }: { readonly base_commit: string },
  seed: number,
): string {
  const words = given.filter(([name]) => !OF_RESULTS.includes(name)).map(([name, value]) =>
    value === true ? `--${name}` : shellQuoted(`--${name}=${withoutSecrets(value)}`)
  );
  return ["bench gate", ...words, `--base=${base_commit.slice(0, 12)}`, `--seed=${seed}`].join(" ");
}
