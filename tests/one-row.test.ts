/** A mark is one row of a table: what else code asks of it stands in that row, so a new one is added in one place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MARKS } from "../bench/record/mark.ts";
import { isTest, type Source, sourcesIn, withoutComments } from "./sources.ts";

/** Files that name codes of marks which they do not make, with the reason. */
const READ: Readonly<Record<string, string>> = {
  "bench/judge/impossible.ts": "its rows are marks to be made",
  "bench/observe/measure-windows.ts": "a generator that fails ends its own window alone",
  "bench/observe/running.ts": "a server that hangs may wait for a service",
  "bench/report/closing-lines.ts": "the number of undecided comparisons is not said twice",
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
