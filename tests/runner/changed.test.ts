import assert from "node:assert/strict";
import { test } from "node:test";
import { projectTexts, touchedBy } from "./changed.ts";
import { testFiles } from "./folders.ts";

const texts = new Map([
  ["a/one.ts", 'import { two } from "../b/two.ts";'],
  ["b/two.ts", "export const two = 2;"],
  ["a/one.test.ts", 'import { one } from "./one.ts";'],
  ["b/other.test.ts", 'import "./other.ts";'],
  ["b/other.ts", ""],
  ["bin/start", 'exec node "$here/a/one.ts"'],
  ["b/starts.test.ts", 'spawn(join(ROOT, "bin/start"));'],
  ["b/joined.test.ts", 'join(ROOT, "a", "one.ts")'],
  ["b/all.test.ts", 'readdirSync("b")'],
]);
const tests = [...texts.keys()].filter((path) => path.endsWith(".test.ts"));

test("a change touches tests of what imports it, starts it or names it, and tests that list folders", () => {
  assert.deepEqual(touchedBy(["b/two.ts"], tests, texts), [
    "a/one.test.ts",
    "b/starts.test.ts",
    "b/joined.test.ts",
    "b/all.test.ts",
  ]);
  assert.deepEqual(touchedBy(["b/other.test.ts"], tests, texts), ["b/other.test.ts", "b/all.test.ts"]);
});

test("in this project a change of one formula touches its own test and few others, one of the server nearly all runs", () => {
  const all = Object.values(testFiles()).flat();
  const project = projectTexts();
  const formula = touchedBy(["bench/report/align.ts"], all, project);
  assert.ok(formula.includes("bench/report/align.test.ts") && !formula.includes("stores/store-mutants.test.ts"));
  const server = touchedBy(["servers/main.ts"], all, project);
  assert.ok(server.includes("tests/alone/run.test.ts") && server.includes("servers/main.test.ts"));
  assert.ok(!server.includes("bench/report/align.test.ts"));
});
