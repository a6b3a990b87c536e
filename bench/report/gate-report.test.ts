import assert from "node:assert/strict";
import { test } from "node:test";
import { disturbedTexts, gateCommandText, gateMarkdown, gateSentence, gateText } from "./gate-report.ts";
import type { CountRow } from "../result/gate-counts.ts";
import { type GateReport, type MeasuredGate, provesNothing } from "./gate-outcome.ts";
import { largestChanges } from "./explanation-text.ts";
import { cellOfCosts, explanationOf } from "../../tests/fixtures/explained-cell.ts";
import { explainedBetween } from "../why/explained-between.ts";
import { type MadeUpRun, makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { madeUpVerdict } from "../../tests/fixtures/made-up-verdicts.ts";
import { cellName } from "../record/cell.ts";
import type { Comparison } from "../record/comparison.ts";
import { publish } from "../result/published.ts";
import { noVerdict } from "../statistics/verdict.ts";
import { styleFor } from "./style.ts";
import { mark } from "../record/mark.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

const other = (base_ref: string, text: string): GateReport & { readonly kind: "other-status" } => ({
  kind: "other-status" as const,
  pair: {
    base_ref,
    base_commit: COMMIT,
    named_commit: COMMIT,
    head_commit: COMMIT,
    head_changed: false,
    carried: [],
    lacking: null,
    moved: null,
  },
  module: "src/<app>--.ts",
  limit: 0.03,
  changed: [{ text }],
  requests: [{ method: "GET", path: "/" }],
  leftOut: [],
});

/** A measured gate with one place. */
function measuredGate(
  { run, lines }: MadeUpRun,
  comparison: Comparison,
  outcome: "regression" | "not-proven" = "not-proven",
): MeasuredGate {
  const { pair, module, limit } = other(COMMIT, "");
  return {
    ...{
      pair,
      module,
      limit,
      changed: [],
      requests: [{ method: "GET", path: "/" }],
      kind: "measured",
      command: "bench gate --app=./app.ts --base=0123456789ab --seed=1",
      insteadOf: null,
      second: null,
      leftOut: [],
    },
    ...{ run, lines, summary: publish(run, lines).summary },
    gate: { outcome, axis: "app", limit, places: [{ title: "bun", outcome, comparison }] },
  };
}

const SIDES = { over: "base/bun", under: "yours/bun", basis: "together" } as const;
const style = styleFor(false, {});

test("the first line of a comment names the gate and nothing of one run, so that the next run finds it", () => {
  const markIn = (report: GateReport): string => gateMarkdown(report).split("\n")[0]!;
  const first = markIn(other("main", "a"));
  assert.equal(markIn(other(COMMIT, "b")), first);
  assert.match(first, /^<!-- levelfield gate: [^<>]+ -->$/);
  assert.doesNotMatch(first.slice(4, -3), /--/, "a comment must not end early");
});

test("a base asked for by its commit is named by seven digits, another by its name", () => {
  assert.match(gateSentence(other(COMMIT, "")), /than 0123456$/);
  assert.match(gateSentence(other("release/1", "")), /than release\/1$/);
});

test("what others voided and what was made in its place is told, and nothing where all was quiet", () => {
  const line = (round: number, ...codes: ("contended" | "wrong-answer")[]) => ({
    ...{ kind: "ensemble" as const, members: [], round },
    counters: null,
    status: codes.length === 0 ? "ok" as const : "invalid" as const,
    marks: codes.map((code) => mark(code, "others used 9.0 % of it")),
  });
  const plan = { rounds: 2, spare_rounds: 2 };
  const reported = (...lines: ReturnType<typeof line>[]) => disturbedTexts({ run: { plan }, lines });
  assert.deepEqual(reported(line(0), line(1)), []);
  assert.deepEqual(reported(line(0), line(1, "wrong-answer")), []);
  assert.deepEqual(reported(line(0, "contended"), line(1), line(2)), [
    "In 1 of 3 observations others had the machine: others used 9.0 % of it; 1 spare one was made in their place (at most 2 rounds of them).",
  ]);
});

test("where others had the machine a gate says so once, with the rounds that were made", () => {
  const made = makeFixture({ together: "plan" });
  const contended = mark("contended", "others used 40 % of the servers' cores");
  const lines = made.lines.map((line) =>
    line.kind === "ceiling" ? line : { ...line, status: "invalid" as const, marks: [contended] }
  );
  const comparison = noVerdict(SIDES, [
    mark("noise-floor-unknown", "an A/A pair has 0 of the two rounds a comparison needs"),
  ]);
  const report = measuredGate({ run: made.run, lines }, comparison);
  const { length } = lines.filter(({ kind }) => kind !== "ceiling");
  assert.equal(
    gateSentence(report),
    `No verdict: in ${length} of ${length} observations others had the machine: others used 40 % of the servers' cores`,
  );
  const text = gateText(report, style, Infinity);
  assert.equal(text.match(/others had the machine/g)?.length, 1, text);
  assert.match(text, / not proven$/m, "the row does not repeat the doubt");
  assert.match(text, new RegExp(`, in ${made.run.plan.rounds} rounds\\.`));
});

test("columns of a gate are the base and yours, and the text says which revisions these are", () => {
  const report = measuredGate(makeFixture(), noVerdict(SIDES, [mark("too-few-rounds", "a")]));
  const { summary } = report;
  assert.match(gateMarkdown(report), /^\| +\| base +\| yours +\| change +\| interval +\| yours is +\|$/m);
  const text = gateText(report, style, 80);
  assert.match(text, /^ +base +yours +change/m);
  assert.match(text, /of the base, 0123456, and of yours, 0123456, under GET/);
  assert.doesNotMatch(text, /\bhead\b/i);
  const cold = mark("cold-cache", "base/bun: most values were requested at most once.");
  const answer = { ...summary.answer, marks: [cold] };
  assert.ok(gateMarkdown({ ...report, summary: { ...summary, answer } }).includes(cold.text), "the state it holds for");
});

test("a proven regression says what grew, its largest changes one by one in a comment", () => {
  const made = makeFixture();
  const [base, yours] = made.run.plan.cells;
  const [over, under] = [base!, yours!].map((cell) => cellName(made.run.plan.axes, cell));
  const comparison = madeUpVerdict(over!, under!, 1.2, { interval: { low: 1.1, high: 1.3, level: 0.95 } });
  const reportOf = (outcome: "regression" | "not-proven") => measuredGate(made, comparison, outcome);
  const regression = reportOf("regression");
  assert.doesNotMatch(gateText(regression, style, 80), /What grew/);
  const cells = [cellOfCosts("base", { app: [4, 4.2] }), cellOfCosts("yours", { app: [9, 9.2] })] as const;
  const explanation = explanationOf(cells, { difference: explainedBetween(...cells) });
  const reported = "yours needs 5.0 µs more a request than base: 5.0 in the app.";
  assert.ok(gateText({ ...regression, explanation }, style, 80).includes(reported));
  assert.ok(gateMarkdown({ ...regression, explanation }).includes(`**What grew:** ${reported}`));
  const placed = [
    cellOfCosts("base", { app: [4, 4.2] }, "app.js", 9),
    cellOfCosts("yours", { app: [9, 9.2] }, "app.js", 12),
  ];
  const ofPlaced = explanationOf(placed, { difference: explainedBetween(placed[0]!, placed[1]!) });
  const explainedAt = { ...regression, explanation: ofPlaced };
  const [terminal, comment] = [gateText(explainedAt, style, 80), gateMarkdown(explainedAt)];
  assert.match(terminal, /^ +grind app\.js:12 +\+5\.0$/m);
  assert.match(comment, /5\.0 in the app \(5\.0 in grind, app\.js:12\)/);
  assert.match(comment, /^- \+5\.0 µs: grind, app\.js:12, the app$/m);
  const layered = [
    cellOfCosts("base", { app: [4, 4.2], kernel: [2, 2] }),
    cellOfCosts("yours", { app: [9, 9.2], kernel: [1, 1] }),
  ];
  assert.deepEqual(largestChanges(explainedBetween(layered[0]!, layered[1]!)!, "yours"), [
    "+5.0 µs: grind, the app",
    "−1.0 µs: the kernel",
  ]);
});

test("counts stand in the table of times, with where to look, and change no sentence", () => {
  const report = measuredGate(makeFixture(), noVerdict(SIDES, [mark("too-few-rounds", "a")]));
  const counts: readonly CountRow[] = [
    { name: "calls", base: 3, yours: 4, says: "more" },
    { name: "fsync", base: 0, yours: 1, says: "more" },
    { name: "bytes", base: 0, yours: 0, says: "the same" },
  ];
  const [without, comment] = [gateMarkdown(report), gateMarkdown({ ...report, counts })];
  assert.equal(comment.split("\n")[1], without.split("\n")[1]);
  assert.equal(comment.match(/^\| -+:? /gm)?.length, 1, "one table");
  assert.match(comment, /^\| fsync a request +\| +0\.00 \| +1\.00 \| +\+1\.00 \| +counted \| more +\|$/m);
  assert.match(comment, /^\| to disk a request .*\| the same +\|$/m);
  assert.match(comment, /Where counts changed look at: fsync: what is made safe on disk/);
  assert.match(comment, /^The same again, at 0123456: `bench gate --app=/m);
  assert.doesNotMatch(without, /counted/);
});

test("the command that repeats a gate has its base and seed, and no secret and no file of results", () => {
  const given = [["app", "./my app.ts"], ["header", "authorization: Bearer abcdef123456"], ["quick", true], [
    "base",
    "main",
  ], [
    "output",
    "a.md",
  ]] as const;
  assert.equal(
    gateCommandText(given, { base_commit: COMMIT }, 7),
    "bench gate '--app=./my app.ts' '--header=authorization: •••••••••••••••••••' --quick --base=0123456789ab --seed=7",
  );
});

test("both runs of a confirmed gate stand in the table and under it, and one that does not hold blames nothing", () => {
  const made = makeFixture();
  const [base, yours] = made.run.plan.cells.map((cell) => cellName(made.run.plan.axes, cell));
  const place = (low: number) =>
    madeUpVerdict(base!, yours!, low + 0.05, { interval: { low, high: low + 0.1, level: 0.95 } });
  const again = (name: string, outcome: "regression" | "not-proven", comparison: Comparison) => {
    const { run, summary, lines, gate } = measuredGate(made, comparison, outcome);
    return { run: { ...run, run: name }, summary, lines, gate, insteadOf: null };
  };
  const first = measuredGate(made, place(1.1), "regression");
  const confirmed = { ...first, second: again("second", "regression", place(1.2)) };
  const text = gateText(confirmed, style, Infinity);
  assert.match(text, /^Regression: 15\.0 % more CPU time per request than 0123456 \(\+10\.0 % to \+20\.0 %\), beyond/m);
  assert.match(text, /^bun, again +.*\+25\.0 % .* slower$/m);
  assert.match(
    text,
    /Run .* \(seed \d+\) proved a regression, and run second .* proved it again\. By chance both err in/,
  );
  const places = [{ ...first.gate.places[0]!, outcome: "not-proven" as const, isUnconfirmed: true as const }];
  const gate = { ...first.gate, outcome: "not-proven" as const, places };
  const unsure = { ...first, gate, second: again("second", "not-proven", place(0.95)) };
  const comment = gateMarkdown(unsure);
  assert.match(comment, /Not proven: 15\.0 % more .*, which a second run did not prove again$/m);
  assert.match(comment, /\| not proven twice \|[\s\S]*run second .* did not prove it again: nothing is blamed\./);
  assert.equal(provesNothing(unsure), false);
  const silent = noVerdict(SIDES, [mark("too-few-rounds", "a")]);
  assert.equal(provesNothing({ ...unsure, second: again("second", "not-proven", silent) }), true);
});
