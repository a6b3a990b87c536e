import assert from "node:assert/strict";
import { test } from "node:test";
import durations from "./durations.json" with { type: "json" };
import { dealt, measured } from "./deal.ts";
import { testFiles } from "./folders.ts";

test("the longest files are dealt first, each to the step that has least", () => {
  const hands = dealt(["a", "b", "c", "d", "e"], { a: 10_000, b: 60_000, c: 15_000, d: 20_000, e: 10_000 });
  assert.deepEqual(hands, [
    { files: ["b"], expectedMs: 60_000 },
    { files: ["d", "e"], expectedMs: 30_000 },
    { files: ["c", "a"], expectedMs: 25_000 },
  ]);
});

test("each file is dealt once, also those that nobody has timed", () => {
  const files = Array.from({ length: 900 }, (_, n) => `file ${n}`);
  const hands = dealt(files);
  assert.ok(hands.length > 1);
  assert.deepEqual(hands.flatMap((hand) => hand.files).sort(), files.toSorted());
  assert.deepEqual(dealt([]), []);
});

test("times of files add up over their tests; those of tests that did not run are kept, if they are long", () => {
  const test = (file: string | null, ms: number) => ({ file, name: "x", outcome: "passed", ms }) as const;
  const results = [
    { runner: "node", tests: [test("b", 1_010.4), test("b", 5), test(null, 7)] },
    { runner: "bun", tests: [test("b", 2_000)] },
    { runner: null, tests: [] },
  ] as const;
  const after = measured({ node: { a: 3_000, b: 99, gone: 9_000, c: 3 } }, results, (file) => file !== "gone");
  assert.deepEqual(after, { bun: { b: 2_000 }, node: { a: 3_000, b: 1_015 } });
});

test("the committed times are of tests that there are", () => {
  const files = Object.values(testFiles()).flat();
  assert.deepEqual(
    Object.values(durations).flatMap((own) => Object.keys(own)).filter((file) => !files.includes(file)),
    [],
  );
});
