import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { spread } from "./end-labels.ts";

test("names that have room stay at their lines", () => {
  assert.deepEqual(spread([10, 80, 40], 14, 0, 100), [10, 80, 40]);
  assert.deepEqual(spread([], 14, 0, 100), []);
});

test("names that would stand on each other are moved apart around their middle, in their order", () => {
  assert.deepEqual(spread([50, 50], 14, 0, 100), [43, 57]);
  assert.deepEqual(spread([52, 50, 10], 14, 0, 100), [58, 44, 10]);
  assert.deepEqual(spread([99, 98, 97], 10, 0, 100), [99.5, 89.5, 79.5]);
  assert.deepEqual(spread([1, 2], 10, 5, 100), [5, 15]);
});

test("whatever the places, names keep order and distance and stay between the ends where they can", () => {
  const random = createRandom(7);
  for (let round = 0; round < 200; round++) {
    const places = Array.from({ length: 1 + Math.floor(9 * random()) }, () => Math.floor(160 * random()) - 20);
    const moved = spread(places, 12, 0, 120);
    const order = places.map((_, n) => n).toSorted((a, b) => places[a]! - places[b]! || moved[a]! - moved[b]!);
    for (const [k, n] of order.entries()) {
      assert.ok(moved[n]! > -1e-9 && moved[n]! < 120 + 1e-9, `round ${round}: ${moved}`);
      if (k > 0) assert.ok(moved[n]! - moved[order[k - 1]!]! > 12 - 1e-9, `round ${round}: ${moved}`);
    }
  }
});
