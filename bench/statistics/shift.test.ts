import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { shareOf } from "../../tests/fixtures/simulation.ts";
import { shiftOf } from "./shift.ts";

test("the shift and its interval agree with the permeability example of Hollander and Wolfe, section 4.3", () => {
  // Example 4.1, tritiated water across the amnion: m = 10, n = 5; their estimate is -0.305 and U has P(U <= 8) = 0.0200.
  const term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
  const early = [1.15, 0.88, 0.90, 0.74, 1.21];
  const { shift, interval } = shiftOf(term, early, 0.96);
  assert.ok(Math.abs(shift + 0.305) < 1e-12, String(shift));
  // Their 96 % interval for the shift: from the 9th least to the 9th greatest difference.
  assert.ok(interval !== null);
  assert.ok(Math.abs(interval.low + 0.76) < 1e-9 && Math.abs(interval.high - 0.15) < 1e-9, JSON.stringify(interval));
});

test("intervals of groups of four have the level they say, and groups too small for one get none", () => {
  const seed = 31;
  const random = createRandom(seed);
  const draw = (n: number) => Array.from({ length: n }, () => -Math.log(1 - random()));
  for (const [n, level] of [[4, 0.9], [6, 0.95], [16, 0.9]] as const) {
    const held = shareOf(2_000, () => {
      const { interval } = shiftOf(draw(n), draw(n), level);
      return interval!.low <= 0 && interval!.high >= 0;
    });
    assert.ok(held > level - 0.02 && held < level + 0.06, `seed ${seed}, ${n} a group: ${held}`);
  }
  assert.equal(shiftOf([1, 2], [3, 4], 0.9).interval, null);
  assert.equal(shiftOf([1, 2], [3, 4], 0.9).shift, 2);
});

test("one wild value hardly moves the shift", () => {
  const calm = shiftOf([1, 1.1, 0.9, 1.05], [1, 1.02, 0.95, 1.1], 0.9);
  const wild = shiftOf([1, 1.1, 0.9, 1.05], [1, 1.02, 0.95, 50], 0.9);
  assert.deepEqual([calm.shift, wild.shift].map((shift) => shift.toFixed(9)), ["0.000000000", "0.010000000"]);
});
