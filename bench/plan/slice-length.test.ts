import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { endsAtMs, nextSliceMs } from "./slice-length.ts";

test("slices are read just before the generator looks, however late each one was, and stay about as long", () => {
  const seed = 5;
  const random = createRandom(seed);
  let loadedMs = 63;
  for (let slice = 0; slice < 500; slice++) {
    const ms = nextSliceMs(100, loadedMs, 100);
    assert.ok(ms >= 50 && ms <= 150, `seed ${seed}, slice ${slice}: ${ms} ms`);
    const readMs = loadedMs + ms;
    assert.ok(Math.abs(readMs % 100 - 80) < 1e-6, `seed ${seed}, slice ${slice}: ${readMs} ms`);
    // Timers come late.
    loadedMs = readMs + 10 * random();
    assert.ok(endsAtMs(loadedMs, 100) - readMs <= 20 + 1e-6, `seed ${seed}, slice ${slice}`);
  }
});

test("a load of half a second ends after it by the slice before it, and never sooner", () => {
  assert.equal(endsAtMs(480, 100), 500);
  assert.equal(endsAtMs(501, 100), 600);
  for (let loadedMs = 0; loadedMs < 1_000; loadedMs += 7.3) assert.ok(endsAtMs(loadedMs, 100) >= loadedMs);
});

test("where the generator ends at once, or nothing is known of the load yet, a slice is as long as asked for", () => {
  assert.equal(nextSliceMs(100, 63, undefined), 100);
  assert.equal(endsAtMs(63, undefined), 63);
  for (const unknown of [NaN, Infinity, -Infinity]) assert.equal(nextSliceMs(100, unknown, 100), 100);
});
