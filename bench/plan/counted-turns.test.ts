import assert from "node:assert/strict";
import { test } from "node:test";
import { countedTurns, type TurnTaken } from "../observe/windows-together.ts";

/** A turn of a server that does 10 requests a millisecond, and half as many while it leads in. */
const turn = (rampUpMs: number, countedMs: number): TurnTaken => ({ rampUpMs, countedMs, counted: 10 * countedMs });

test("what leads in does not make dearer what counts, however long each turn was", () => {
  const turns = [turn(50, 50), turn(55, 50), turn(50, 61), turn(80, 49)];
  const rampUpMs = 235, countedMs = 210;
  const whole = { requests: 5 * rampUpMs + 10 * countedMs, cpu_ns: 1e6 * (rampUpMs + countedMs) };
  const { counted, rampUp } = countedTurns(turns, whole);
  assert.ok(Math.abs(counted.cpu_ns / counted.requests - 1e5) < 1e-6);
  assert.ok(Math.abs(rampUp.cpu_ns / rampUp.requests - 2e5) < 1e-6);
});

test("both parts are the whole to the last request and nanosecond", () => {
  const whole = { requests: 1_234, cpu_ns: 1.7e8 };
  const { counted, rampUp } = countedTurns([turn(50, 52), turn(51, 50)], whole);
  assert.equal(counted.requests + rampUp.requests, whole.requests);
  assert.ok(Math.abs(counted.cpu_ns + rampUp.cpu_ns - whole.cpu_ns) < 1e-6);
});

test("a turn of which is not known what was sent counts for nothing, in requests and in time", () => {
  const known = countedTurns([turn(50, 50)], { requests: 750, cpu_ns: 1e8 });
  const lost = countedTurns([turn(50, 50), { rampUpMs: 50, countedMs: 50, counted: null }], {
    requests: 1_500,
    cpu_ns: 2e8,
  });
  assert.deepEqual(lost.counted, known.counted);
});

test("without a turn nothing counts", () => {
  assert.deepEqual(countedTurns([], { requests: 0, cpu_ns: 0 }).counted, { requests: 0, cpu_ns: 0 });
});
