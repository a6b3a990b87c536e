import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../bench/basics/random.ts";
import { overPairs } from "./over-pairs.ts";
import { outcomeOf } from "../bench/self/measurements.ts";

test("pairs of what should be the same give a ratio with its interval, and both sides of the goal count", () => {
  const even = overPairs("by-hand", "h2load 1", [0.01, -0.01, 0.004, -0.004, 0.012, -0.012]);
  assert.ok(Math.abs(even.ratio! - 1) < 1e-9 && outcomeOf(even) === "reached", JSON.stringify(even));
  assert.equal(even.note, "median of 6 pairs, 95 % interval 0.988 to 1.012");
  for (const far of [0.05, -0.05]) {
    assert.equal(outcomeOf(overPairs("by-hand", "h2load 1", [far, far + 0.001, far - 0.001])), "missed");
  }
  assert.match(overPairs("by-hand", "h2load 1", [0.01]).note, /^1 pair: 1 value gives no 95 % interval .* it needs 6$/);
  const none = overPairs("by-hand", "h2load 1", []);
  assert.deepEqual([none.ratio, outcomeOf(none), none.note], [null, "missed", "no pairs"]);
});

const random = createRandom(11);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

test("the interval holds the true ratio at least as often as it says", () => {
  let held = 0;
  const REPEATED = 2_000;
  for (let k = 0; k < REPEATED; k++) {
    const { note } = overPairs("by-hand", "ab 2", Array.from({ length: 9 }, () => Math.log(0.9) + 0.2 * normal()));
    const [, low, high] = /interval (\S+) to (\S+)$/.exec(note)!.map(Number);
    if (low! <= 0.9 && 0.9 <= high!) held++;
  }
  assert.ok(held / REPEATED > 0.94 && held / REPEATED < 0.985, String(held / REPEATED));
});

test("on a machine of two speeds, three pairs in ten across a change, thirty pairs tell a ratio to 2 %", () => {
  const changed = () => random() < 0.3 ? Math.log(1.65) * (random() < 0.5 ? 1 : -1) : 0;
  let near = 0;
  const REPEATED = 500;
  for (let k = 0; k < REPEATED; k++) {
    const pairs = Array.from({ length: 30 }, () => Math.log(0.9) + 0.03 * normal() + changed());
    if (Math.abs(overPairs("agents", "rate", pairs).ratio! / 0.9 - 1) < 0.02) near++;
  }
  assert.ok(near / REPEATED > 0.95, String(near / REPEATED));
});
