import assert from "node:assert/strict";
import { test } from "node:test";
import { duetSteadiness, type InWindow, movingObjection, sentBy, shiftOf } from "./duet-steadiness.ts";

test("requests sent by a moment are whole slots and a share of the one begun", () => {
  const sent = (atUs: number) => sentBy([100, 200, 300], 20_000, 1_000_000, atUs);
  assert.equal(sent(1_000_000), 0);
  assert.equal(sent(1_010_000), 50);
  assert.equal(sent(1_020_000), 100);
  assert.equal(sent(1_050_000), 450);
  assert.equal(sent(1_060_000), 600);
});

test("nothing was sent before the start and no more than all after the end", () => {
  assert.equal(sentBy([100], 20_000, 1_000_000, 900_000), 0);
  assert.equal(sentBy([100], 20_000, 1_000_000, 9_000_000), 100);
  assert.equal(sentBy([], 20_000, 0, 9_000_000), 0);
});

/** A server whose requests cost so much in the window's first third and so much in the rest. */
const costing = (head: number, tail: number, requests = 10_000): InWindow => ({
  parts: [{ requests, cpu_ns: head * requests }, { requests: 2 * requests, cpu_ns: tail * 2 * requests }],
});

test("a ratio shifts by what one server grew cheaper by more than the other", () => {
  assert.equal(shiftOf(costing(100, 90), costing(200, 180)), 0);
  assert.ok(Math.abs(shiftOf(costing(100, 100), costing(100, 90))! - Math.log(0.9)) < 1e-12);
  assert.equal(shiftOf(costing(100, 100), { parts: null }), null);
  assert.equal(shiftOf(costing(100, 100), costing(100, 100, 10)), null, "too few requests to say");
});

test("a shift beyond chance is moving and names the server that grew cheaper; a small or irregular one is flat", () => {
  const rounds = (tails: readonly number[]) => tails.map((tail) => [costing(100, 100), costing(100, tail)] as const);
  const moving = duetSteadiness(["a", "b"], rounds([92, 91.8, 92.2, 92, 91.9, 92.1]));
  assert.equal(moving.steadiness, "moving");
  assert.equal(
    movingObjection(moving),
    "b still grew cheaper than the other by 8.0 % inside the window: warm up longer",
  );
  assert.equal(duetSteadiness(["a", "b"], rounds([98, 98.1, 97.9, 98, 98.1, 97.9])).steadiness, "flat");
  assert.equal(duetSteadiness(["a", "b"], rounds([90, 110, 91, 109, 92, 108])).steadiness, "flat");
  assert.equal(duetSteadiness(["a", "b"], rounds([90, 90])).steadiness, "unknown");
});
