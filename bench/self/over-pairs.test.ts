import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../core/random.ts";
import { overPairs } from "./over-pairs.ts";
import { reached } from "./measurements.ts";

test("pairs of what should be the same give a ratio with its interval, and both sides of the goal count", () => {
  const even = overPairs("by-hand", "oha 1", [0.01, -0.01, 0.004, -0.004]);
  assert.ok(Math.abs(even.ratio! - 1) < 1e-9 && reached(even), JSON.stringify(even));
  assert.match(even.note, /^4 pairs, 95 % interval 0\.98\d to 1\.01\d$/);
  for (const far of [0.05, -0.05]) {
    assert.equal(reached(overPairs("by-hand", "oha 1", [far, far + 0.001, far - 0.001])), false);
  }
  const none = overPairs("by-hand", "oha 1", [0.01]);
  assert.deepEqual([none.ratio, reached(none), none.note], [null, false, "1 of the two pairs an interval needs"]);
});

test("the interval holds the true ratio as often as it says", () => {
  const random = createRandom(11);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let held = 0;
  const REPEATED = 2_000;
  for (let k = 0; k < REPEATED; k++) {
    const { note } = overPairs("by-hand", "ab 2", Array.from({ length: 5 }, () => Math.log(0.9) + 0.2 * normal()));
    const [, low, high] = /interval (\S+) to (\S+)$/.exec(note)!.map(Number);
    if (low! <= 0.9 && 0.9 <= high!) held++;
  }
  assert.ok(Math.abs(held / REPEATED - 0.95) < 0.02, String(held / REPEATED));
});
