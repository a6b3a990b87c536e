import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom, shuffle, xoshiro128 } from "./random.ts";

test("xoshiro128** gives the outputs of the reference C code for the state 1, 2, 3, 4", () => {
  const next = xoshiro128([1, 2, 3, 4]);
  const words = Array.from({ length: 10 }, next);
  assert.deepEqual(words, [
    11520,
    0,
    5927040,
    70819200,
    2031721883,
    1637235492,
    1287239034,
    3734860849,
    3729100597,
    4258142804,
  ]);
});

test("equal seeds give equal sequences and neighbouring seeds different ones", () => {
  const draw = (seed: number) => Array.from({ length: 20 }, createRandom(seed));
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
});

test("uniform numbers stay in [0, 1) and spread evenly over ten bins", () => {
  const seed = 20260101;
  const random = createRandom(seed);
  const bins = new Array<number>(10).fill(0);
  for (let draw = 0; draw < 100_000; draw++) {
    const value = random();
    assert.ok(value >= 0 && value < 1, `seed ${seed}: ${value}`);
    bins[Math.floor(value * 10)]! += 1;
  }
  const chiSquare = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  assert.ok(chiSquare < 27.88, `seed ${seed}: chi-square ${chiSquare} above the 99.9 % point for 9 degrees of freedom`);
});

test("shuffle keeps every item, leaves its input alone and makes all orders about equally often", () => {
  const seed = 11;
  const random = createRandom(seed);
  const items = ["a", "b", "c"];
  const seen = new Map<string, number>();
  for (let round = 0; round < 6_000; round++) {
    const order = shuffle(items, random).join("");
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  assert.deepEqual(items, ["a", "b", "c"]);
  assert.deepEqual([...seen.keys()].sort(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
  for (const [order, count] of seen) assert.ok(Math.abs(count - 1_000) < 120, `seed ${seed}: ${order} ${count} times`);
});

test("a seed that is not a 32-bit whole number is refused", () => {
  for (const seed of [-1, 0.5, 2 ** 32, Number.NaN]) assert.throws(() => createRandom(seed), RangeError);
});
