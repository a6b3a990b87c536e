import assert from "node:assert/strict";
import { test } from "node:test";
import { replyMsOf, windowMs } from "./window-length.ts";

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
