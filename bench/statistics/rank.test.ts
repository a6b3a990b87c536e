import assert from "node:assert/strict";
import { test } from "node:test";
import { mark } from "../record/mark.ts";
import { type Candidate, rank } from "./rank.ts";
import type { Comparison } from "../record/comparison.ts";
import { noVerdict } from "./verdict.ts";

const numbers = {
  basis: "together",
  rounds: 6,
  ratio: 1,
  interval: { low: 0.9, high: 1.1, level: 0.95 },
  adjusted_p: 0.5,
  delta: 0.01,
  smallest_detectable: 0.03,
  rounds_needed: null,
} as const;

const cells = (speeds: Record<string, number>): Candidate[] =>
  Object.entries(speeds).map(([cell, speed]) => ({ cell, speed, marks: [] }));
type Said = (over: string, under: string) => Comparison;
const faster: Said = (over, under) => ({ ...numbers, verdict: "faster", over, under });
const slower: Said = (over, under) => ({ ...numbers, verdict: "slower", over, under });
const equivalent: Said = (over, under) => ({ ...numbers, verdict: "equivalent", over, under });
const tied: Said = (over, under) => ({ ...numbers, verdict: "not-separable", over, under, rounds_needed: 20 });
const none: Said = (over, under) =>
  noVerdict({ over, under, basis: "together" }, [mark("too-few-rounds", "3 of the 6 rounds a verdict needs")]);

test("proven differences order the cells, whichever way round a verdict is given", () => {
  const { groups, unranked } = rank(cells({ node: 1, deno: 2, bun: 3 }), [
    faster("bun", "deno"),
    slower("node", "bun"),
    faster("deno", "node"),
  ]);
  assert.deepEqual(groups, [{ rank: 1, cells: ["bun"] }, { rank: 2, cells: ["deno"] }, { rank: 3, cells: ["node"] }]);
  assert.deepEqual(unranked, []);
});

test("cells not separable from the best, or equivalent to it, share rank 1 and the next rank counts them", () => {
  const { groups } = rank(cells({ node: 1, deno: 2.9, bun: 3 }), [
    tied("bun", "deno"),
    faster("bun", "node"),
    faster("deno", "node"),
  ]);
  assert.deepEqual(groups, [{ rank: 1, cells: ["bun", "deno"] }, { rank: 3, cells: ["node"] }]);
  const all = rank(cells({ a: 1, b: 2, c: 3 }), [equivalent("a", "b"), tied("b", "c"), equivalent("a", "c")]);
  assert.deepEqual(all.groups, [{ rank: 1, cells: ["c", "b", "a"] }]);
});

test("ties do not chain: a cell slower than the leader is in the next group even if tied with a follower", () => {
  const { groups } = rank(cells({ a: 3, b: 2, c: 1 }), [tied("a", "b"), tied("b", "c"), faster("a", "c")]);
  assert.deepEqual(groups, [{ rank: 1, cells: ["a", "b"] }, { rank: 3, cells: ["c"] }]);
});

test("verdicts outweigh medians", () => {
  const { groups } = rank(cells({ a: 1, b: 2 }), [faster("a", "b")]);
  assert.deepEqual(groups.map(({ cells }) => cells), [["a"], ["b"]]);
});

test("marked cells and cells without verdicts are listed apart with their marks", () => {
  const bound = mark("other-bound", "c is limited by the generator");
  const candidates = [...cells({ a: 3, b: 2, d: 1 }), { cell: "c", speed: 9, marks: [bound] }];
  const result = rank(candidates, [faster("a", "b"), none("a", "d"), none("d", "b"), faster("c", "a")]);
  assert.deepEqual(result.groups, [{ rank: 1, cells: ["a"] }, { rank: 2, cells: ["b"] }]);
  assert.deepEqual(result.unranked, [
    { cell: "c", marks: [bound] },
    { cell: "d", marks: [mark("incomparable", "it has no verdict against another cell")] },
  ]);
});

test("a run without verdicts ranks nobody", () => {
  const result = rank(cells({ a: 3, b: 2, c: 1 }), [none("a", "b"), none("b", "c")]);
  assert.deepEqual(result.groups, []);
  assert.deepEqual(result.unranked.map(({ cell }) => cell), ["a", "b", "c"]);
});

test("verdicts in a circle still rank every cell once", () => {
  const { groups } = rank(cells({ a: 3, b: 2, c: 1 }), [faster("a", "b"), faster("b", "c"), faster("c", "a")]);
  assert.deepEqual(groups.flatMap(({ cells }) => cells).sort(), ["a", "b", "c"]);
});

test("one cell alone has rank 1, none gives an empty ranking, and a cell given twice is refused", () => {
  assert.deepEqual(rank(cells({ a: 1 }), []).groups, [{ rank: 1, cells: ["a"] }]);
  assert.deepEqual(rank([], []), { groups: [], unranked: [] });
  assert.throws(() => rank([...cells({ a: 1 }), ...cells({ a: 2 })], []), RangeError);
});
