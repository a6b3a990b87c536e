import assert from "node:assert/strict";
import { test } from "node:test";
import { gateMarkdown, type GateReport, gateSentence, gateText, insteadText, voidedText } from "./gate-report.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { publish } from "../result/published.ts";
import { noVerdict } from "../statistics/verdict.ts";
import { styleFor } from "./style.ts";
import { mark } from "../record/mark.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

const other = (base_ref: string, text: string): GateReport => ({
  kind: "other-status",
  pair: { base_ref, base_commit: COMMIT, head_commit: COMMIT, head_changed: false },
  module: "src/<app>--.ts",
  limit: 0.03,
  changed: [{ text }],
  requests: [{ method: "GET", path: "/" }],
});

test("the first line of a comment names the gate and nothing of one run, so that the next run finds it", () => {
  const markIn = (report: GateReport): string => gateMarkdown(report).split("\n")[0]!;
  const first = markIn(other("main", "a"));
  assert.equal(markIn(other(COMMIT, "b")), first);
  assert.match(first, /^<!-- levelfield gate: [^<>]+ -->$/);
  assert.doesNotMatch(first.slice(4, -3), /--/, "a comment must not end early");
});

test("what replies hold stays text in a comment and moves no cursor on a terminal", () => {
  const hostile = other("main", "body is <img src=x> | [a](b) \u001b[2J\n# big");
  const markdown = gateMarkdown(hostile);
  assert.match(markdown, /&lt;img src=x> \\\| \[a\\\]\(b\)/);
  assert.doesNotMatch(markdown, /^# big/m);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(gateText(hostile, styleFor(false, {}), 80), /\u001b/);
});

test("a base asked for by its commit is named by seven digits, another by its name", () => {
  assert.match(gateSentence(other(COMMIT, "")), /than 0123456$/);
  assert.match(gateSentence(other("release/1", "")), /than release\/1$/);
});

test("what others voided and what was made in its place is told, and nothing where all was quiet", () => {
  const line = (round: number, ...codes: ("contended" | "wrong-answer")[]) => ({
    round,
    counters: null,
    status: codes.length === 0 ? "ok" as const : "invalid" as const,
    marks: codes.map((code) => mark(code, "others used 9.0 % of it")),
  });
  const plan = { rounds: 2, spare_rounds: 2 };
  const told = (...lines: ReturnType<typeof line>[]) => voidedText({ run: { plan }, lines });
  assert.deepEqual(told(line(0), line(1)), []);
  assert.deepEqual(told(line(0), line(1, "wrong-answer")), []);
  assert.deepEqual(told(line(0, "contended"), line(1), line(2)), [
    "Others' use of the machine voided 1 of 3 observations (others used 9.0 % of it); 1 spare one was made in their place (at most 2 rounds of them).",
  ]);
});

test("a run made in place of another names it, a first one says nothing of it", () => {
  assert.deepEqual(insteadText(null), []);
  assert.match(insteadText("2026-11-22-101500").join(), /^Run 2026-11-22-101500 found a difference/);
});

test("columns of a gate are the base and yours, and the text says which revisions these are", () => {
  const { run, lines } = makeFixture();
  const comparison = noVerdict({ over: "base/bun", under: "yours/bun", basis: "together" }, "too-few-rounds", ["a"]);
  const gate = {
    outcome: "not-proven",
    limit: 0.03,
    places: [{ title: "bun", outcome: "not-proven", comparison }],
  } as const;
  const { summary } = publish(run, lines);
  const measured = { kind: "measured", gate, run, lines, summary, insteadOf: null } as const;
  const { pair, module, limit } = other(COMMIT, "");
  const requests = [{ method: "GET", path: "/" }];
  const report: GateReport = { pair, module, limit, changed: [], requests, ...measured };
  assert.match(gateMarkdown(report), /^\| +\| base +\| yours +\| change +\| interval +\| yours is +\|$/m);
  const text = gateText(report, styleFor(false, {}), 80);
  assert.match(text, /^ +base +yours +change/m);
  assert.match(text, /of the base, 0123456, and of yours, 0123456, under GET/);
  assert.doesNotMatch(text, /\bhead\b/i);
});
