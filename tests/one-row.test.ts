/** A mark, a bound and a figure are one row of a table each: what code asks of them stands in that row, so a new one is added in one place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_BOUNDS } from "../bench/record/outcome-schema.ts";
import { MARKS } from "../bench/record/mark.ts";
import { NO_LOAD } from "../bench/judge/lines.ts";
import { observedFigures } from "../bench/judge/observed-figures.ts";
import { FIGURES, figuresIn } from "../bench/report/figures.ts";
import { isTest, type Source, sourcesIn, withoutComments } from "./sources.ts";

/** Files that name codes of marks which they do not make, with the reason. */
const READ: Readonly<Record<string, string>> = {
  "bench/judge/impossible.ts": "its rows are marks to be made",
  "bench/observe/measure-windows.ts": "a generator that fails ends its own window alone",
  "bench/observe/running.ts": "a server that hangs may wait for a service",
  "bench/report/comparison-table.ts": "two single runs have no table",
  "bench/report/gate-report.ts": "a gate says which caches were cold, and nothing else of an answer",
  "bench/result/lost-rounds.ts": "the words of these need the servers and shares of all lost rounds",
  "bench/result/open-comparisons.ts": "voided rounds can be made again",
};

/** Codes that are words of something else, too: they count where a mark is compared with them. */
const ALSO: Readonly<Record<string, string>> = {
  "halts": "an origin of faults",
  "interrupted": "a state of runs",
  "slowing-down": "a course of rates",
  "steal": "a check of doctor",
  "timeouts": "a figure of rounds",
  "too-few-rounds": "a lack of evidence",
  "undecided": "a finding of bisect",
  "unsupported": "a status, and an event of servers",
  "warming-up": "a course of rates",
};

/** The beginning of what makes a mark of the code that follows. */
const MAKES = /\b(?:mark|markOf|marked|unfit)\([^(),]*$|\bcode(?: =|:) $/;

/** Uses of codes of marks outside of the rows, and where the marks are not made. */
function markFaults({ path, text }: Source): string[] {
  if (isTest(path) || path.startsWith("bench/record/")) return [];
  const code = withoutComments(text);
  const uses = [...code.matchAll(/(?<=["])[a-z-]+(?=")/g)].filter(([name]) => Object.hasOwn(MARKS, name))
    .map(({ 0: name, index }) => ({ name, before: code.slice(Math.max(0, index - 120), index - 1) }));
  const made = new Set(uses.flatMap(({ name, before }) => MAKES.test(before) ? [name] : []));
  return uses.filter(({ name, before }) =>
    !made.has(name) && (!Object.hasOwn(ALSO, name) || /\bcode\)?\s*[!=]== $/.test(before))
  ).map(({ name }) => `${path} names the mark "${name}"`);
}

test("a code of a mark stands in its row and where the mark is made, and nowhere else", () => {
  const offenders = [
    'const OURS: readonly MarkCode[] = ["near-ceiling"];',
    'const isLost = marks.some(({ code }) => code === "timeouts");',
    'if (given.code !== "contended") return null;',
    'const WORDS = { "wrong-answer": "it is wrong" };',
  ];
  for (const text of offenders) assert.equal(markFaults({ path: "bench/result/a.ts", text }).length, 1, text);
  const made = 'const a = mark("timeouts", "late"); const b = marks.filter(({ code }) => code === "timeouts");';
  assert.deepEqual(markFaults({ path: "bench/judge/a.ts", text: made }), []);
  const found = sourcesIn("bench").flatMap((source) =>
    markFaults(source).map((fault) => ({ fault, path: source.path }))
  );
  assert.deepEqual(found.filter(({ path }) => !Object.hasOwn(READ, path)).map(({ fault }) => fault), []);
  assert.deepEqual(Object.keys(READ).filter((path) => found.every((one) => one.path !== path)), [], "needed no more");
});

test("a mark that follows from another one follows from a mark that there is", () => {
  const followed = Object.values(MARKS).flatMap(({ follows }) => follows ?? []);
  assert.ok(followed.length > 3);
  assert.deepEqual(followed.filter((code) => !Object.hasOwn(MARKS, code)), []);
});

/** Files that name bounds, with the reason. */
const BY_BOUND: Readonly<Record<string, string>> = {
  "bench/judge/bound.ts": "it finds the bound",
  "bench/judge/judge-cell.ts": "a ceiling is one where the generator was the limit",
  "bench/judge/open-loop.ts": "a stored mark has these words",
  "bench/plan/knee.ts": "a generator that cannot send a rate says nothing of who answers it",
  "bench/report/evidence-lines.ts": "a ceiling over a link is that of the link",
  "bench/result/cell-card.ts": "calls in turn wait, which is a part of each",
  "bench/result/open-comparisons.ts": "more cores for the generator help where it was the limit",
  "bench/result/run-marks.ts": "a ceiling is one where the generator was the limit",
  "bench/result/service-limit.ts": "services share a core with the generator, and servers wait for them",
};

/** Uses of bounds outside of their rows; a bound is unknown wherever nothing was measured. */
function boundFaults({ path, text }: Source): string[] {
  if (isTest(path) || path.startsWith("bench/record/")) return [];
  const codes = `"(?:${ALL_BOUNDS.filter((bound) => bound !== "unknown").join("|")})"`;
  const uses = [`\\bbounds?\\b[^;"\\n]{0,20}${codes}`, `${codes}[^;\\n]{0,40}\\bbound\\b`, "Record<Bound\\b"];
  return [...withoutComments(text).matchAll(new RegExp(uses.join("|"), "g"))]
    .map(([use]) => `${path} names a bound: ${use}`);
}

test("a bound is named in its row and where it is found, and nowhere else", () => {
  const offenders = [
    'const isOwn = bound === "server" || bound === "disk";',
    'const all = (["generator", "service"] as const).flatMap((bound) => limited(bound));',
    "const TEXT: Readonly<Record<Bound, string>> = TEXTS;",
    'const isLimited = bounds.includes("network");',
  ];
  for (const text of offenders) assert.notEqual(boundFaults({ path: "bench/report/a.ts", text }).length, 0, text);
  const found = sourcesIn("bench").flatMap((source) =>
    boundFaults(source).map((fault) => ({ fault, path: source.path }))
  );
  assert.deepEqual(found.filter(({ path }) => !Object.hasOwn(BY_BOUND, path)).map(({ fault }) => fault), []);
  assert.deepEqual(
    Object.keys(BY_BOUND).filter((path) => found.every((one) => one.path !== path)),
    [],
    "needed no more",
  );
});

/** Files that name verdicts which decide nothing: schema, words, the room that judges, and what claims say of them. */
const BY_VERDICT = ["record/comparison", "record/verdicts", "statistics/verdict", "statistics/rank", "result/claims"]
  .map((name) => `bench/${name}.ts`);

test("a verdict is worded in its row: few files name those that decide nothing", () => {
  const names = (text: string) => /"(?:no-verdict|not-separable)"/.test(withoutComments(text));
  assert.ok(names('const open = verdict === "no-verdict";'));
  const found = sourcesIn("bench").filter(({ path, text }) => !isTest(path) && names(text)).map(({ path }) => path);
  assert.deepEqual(found.sort(), BY_VERDICT.toSorted());
});

/** Fields of cards that have the name of something else that is shown, or decide what is shown. */
const MORE_THAN_FIGURES: Readonly<Record<string, string>> = {
  "requests_per_second": "cells without it are not shown, and it orders them",
  "cpu_ns_per_request": "members and services of ensembles have it, too",
  ...Object.fromEntries(
    ["p50_us", "p90_us", "p99_us", "max_us"].map((name) => [name, "latencies of loads have it, too"]),
  ),
  ...Object.fromEntries(["server_share", "generator_share"].map((name) => [name, "counters have it, too"])),
};

/** Rooms that show figures. */
const SHOWING = /^bench\/(?:report|page|exports|engine|commands)\//;

/** Files that name figures besides their rows, with the reason. */
const BY_FIGURE: Readonly<Record<string, string>> = { "bench/page/choices.ts": "people choose limits of these" };

/** Names of figures of cells outside of their rows, where figures are shown. */
function figureFaults({ path, text }: Source): string[] {
  if (isTest(path) || !SHOWING.test(path) || path === "bench/report/figures.ts") return [];
  const code = withoutComments(text);
  return FIGURES.filter(({ key }) => !Object.hasOwn(MORE_THAN_FIGURES, key) && new RegExp(`\\b${key}\\b`).test(code))
    .map(({ key }) => `${path} names the figure "${key}"`);
}

test("a figure of a cell is named in its row alone where figures are shown", () => {
  const offenders = ['const HEADS = ["startup_ms"];', "const text = dash(card.peak_rss_bytes, formatBytes);"];
  for (const text of offenders) assert.equal(figureFaults({ path: "bench/exports/a.ts", text }).length, 1, text);
  const found = sourcesIn("bench").flatMap((source) =>
    figureFaults(source).map((fault) => ({ fault, path: source.path }))
  );
  assert.deepEqual(found.filter(({ path }) => !Object.hasOwn(BY_FIGURE, path)).map(({ fault }) => fault), []);
  assert.deepEqual(
    Object.keys(BY_FIGURE).filter((path) => found.every((one) => one.path !== path)),
    [],
    "needed no more",
  );
});

test("the table of figures has each figure that is observed, once, and each place shows its own", () => {
  const observed = observedFigures({ ...NO_LOAD, member: { server: null } });
  assert.deepEqual(FIGURES.map(({ key }) => key).sort(), Object.keys(observed).sort());
  for (const place of ["cells", "page", "alone", "detail", "csv"] as const) {
    const wanted = FIGURES.filter((one) => [...one.in, ...one.ofServers ?? []].includes(place));
    assert.deepEqual(new Set(figuresIn(place)), new Set(wanted), place);
  }
});
