import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { endsAtMs, nextSliceMs, replyMsOf, settles, windowMs } from "./lengths.ts";

test("a window holds ten replies of each connection, in whole seconds, and is never shorter than planned", () => {
  assert.equal(windowMs(2_000, 1_200, 1), 12_000);
  assert.equal(windowMs(2_000, 210, 1), 3_000);
  assert.equal(windowMs(2_000, 210, 3), 7_000, "three share it");
  assert.deepEqual([0, 1, 200].map((ms) => windowMs(2_000, ms, 1)), [2_000, 2_000, 2_000]);
});

test("no window grows to more than six times its length, or half a minute", () => {
  assert.equal(windowMs(1_000, 60_000, 1), 6_000);
  assert.equal(windowMs(10_000, 60_000, 6), 30_000);
  assert.equal(windowMs(60_000, 60_000, 1), 60_000);
});

test("a warm-up says what a reply takes as soon as there was one", () => {
  assert.equal(replyMsOf({ requests: 100, duration_us: 2_400_000 }, 50), 1_200);
  assert.equal(replyMsOf({ requests: 0, duration_us: 2_400_000 }, 50), null);
});

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

test("new connections are tried where each gets a reply in half a second, on a machine of half or twice the speed, too", () => {
  const warmedUp = (requestUs: number) => ({ duration_us: 2_000_000, requests: Math.floor(2_000_000 / requestUs) });
  for (const speed of [0.5, 1, 2]) {
    assert.ok(settles(warmedUp(25 / speed), 50), "a map");
    assert.ok(settles(warmedUp(3_700 / speed), 50), "a scan of 100k users");
    assert.ok(!settles(warmedUp(37_000 / speed), 50), "a scan of a million");
    assert.ok(settles(warmedUp(37_000 / speed), 4), "the same with fewer connections");
  }
  assert.ok(!settles({ duration_us: 2_000_000, requests: 0 }, 50));
});
