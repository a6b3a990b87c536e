import assert from "node:assert/strict";
import { test } from "node:test";
import { dealt, measured } from "./deal.ts";

test("the longest files are dealt first, each to the step that has least", () => {
  const hands = dealt(["a", "b", "c", "d", "e"], { a: 10_000, b: 60_000, c: 15_000, d: 20_000, e: 10_000 });
  assert.deepEqual(hands, [
    { files: ["b"], expectedMs: 60_000 },
    { files: ["d", "e"], expectedMs: 30_000 },
    { files: ["c", "a"], expectedMs: 25_000 },
  ]);
});

test("each file is dealt once, also those that nobody has timed", () => {
  const files = Array.from({ length: 300 }, (_, n) => `file ${n}`);
  const hands = dealt(files);
  assert.ok(hands.length > 1);
  assert.deepEqual(hands.flatMap((hand) => hand.files).sort(), files.toSorted());
  assert.deepEqual(dealt([]), []);
});

test("times of files add up over their tests, and those of files that did not run are kept", () => {
  const test = (file: string | null, ms: number) => ({ file, name: "x", outcome: "passed", ms }) as const;
  const results = [
    { runner: "node", tests: [test("b", 10.4), test("b", 5), test(null, 7)] },
    { runner: "bun", tests: [test("b", 2)] },
    { runner: null, tests: [] },
  ] as const;
  const after = measured({ node: { a: 3, b: 99 } }, results);
  assert.deepEqual(after, { bun: { b: 2 }, node: { a: 3, b: 15 } });
});
