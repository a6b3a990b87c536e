import assert from "node:assert/strict";
import { test } from "node:test";
import { capacityOf } from "./capacity.ts";

const ACTIVITY = { requestsPerVisit: 20, visitsPerDay: 2, peakShare: 0.2, headRoom: 0.3, thinkMs: 10_000 };

test("a rate is enough for as many people as by hand", () => {
  // 41 000 less 30 % is 28 700 a second; 2 visits × 0.2 × 20 requests are 8 a person in the busiest hour;
  // 28 700 × 3 600 / 8 = 12 915 000 people a day; one request in ten seconds each: 287 000 at once.
  const { usablePerSecond, peoplePerDay, peopleAtOnce } = capacityOf(41_000, ACTIVITY);
  assert.ok(Math.abs(usablePerSecond - 28_700) < 1e-6);
  assert.deepEqual([peoplePerDay, peopleAtOnce], [12_915_000, 287_000]);
});

test("busier people are fewer, and nobody is left where no room is", () => {
  const people = (change: Partial<typeof ACTIVITY>) => capacityOf(1_000, { ...ACTIVITY, ...change }).peoplePerDay;
  assert.equal(people({ visitsPerDay: 4 }) * 2, people({}));
  assert.equal(people({ requestsPerVisit: 60 }) * 3, people({}));
  assert.equal(people({ headRoom: 1 }), 0);
  assert.equal(capacityOf(5, { ...ACTIVITY, headRoom: 0 }).peoplePerDay, 2_250);
});
