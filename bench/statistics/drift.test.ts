import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../tests/fixtures/simulation.ts";
import { createRandom } from "../basics/random.ts";
import { chainedChange, driftOf } from "./drift.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Costs of five commits a week, time in weeks, with a spread of 4 %.
 *
 * @param alike correlation of a value with the one before it
 * @param grown logarithm of the growth after some weeks
 */
function costs(seed: number, n: number, alike: number, grown: (weeks: number) => number) {
  const random = createRandom(seed);
  let mood = 0;
  return Array.from({ length: n }, (_, place) => {
    mood = alike * mood + Math.sqrt(1 - alike ** 2) * 0.04 * normal(random);
    return { at: place / 5, value: 10 * Math.exp(grown(place / 5) + mood) };
  });
}

const kindsOf = (series: number, ...[n, alike, grown]: [number, number, (weeks: number) => number]) =>
  Array.from({ length: series }, (_, seed) => driftOf(costs(seed + 1, n, alike, grown)));

test("values without a trend are told none, also where those near each other are alike", () => {
  const found = (alike: number) => kindsOf(100, 40, alike, () => 0).filter(({ kind }) => kind !== "none").length;
  assert.equal(found(0), 0);
  assert.ok(found(0.6) <= 3, "of 100 series of a machine that is in moods");
});

test("a drift of 0.8 % a week is found over twelve weeks, and since when", () => {
  const all = kindsOf(40, 60, 0, (weeks) => 0.008 * weeks);
  const drifts = all.filter((one) => one.kind === "drift");
  assert.ok(drifts.length >= 28, `${drifts.length} of 40`);
  assert.ok(drifts.filter(({ low, high }) => low <= 0.008032 && high >= 0.008032).length >= 0.9 * drifts.length);
  const late = driftOf(costs(3, 90, 0, (weeks) => Math.max(0, 0.02 * (weeks - 6))));
  assert.ok(late.kind === "drift" && Math.abs(late.since - 30) <= 8 && late.orStep === null, JSON.stringify(late));
  assert.ok(Math.abs(late.slope - 0.02) < 0.005 && Math.abs(late.change - 0.27) < 0.08, JSON.stringify(late));
});

test("one step is told as a step where it is clear, with its place", () => {
  const step = driftOf(costs(1, 80, 0, (weeks) => weeks < 8 ? 0 : 0.2));
  assert.ok(step.kind === "step" && step.at === 40 && Math.abs(step.change - 0.22) < 0.04, JSON.stringify(step));
});

test("few values say nothing", () => {
  const least = thresholds.leastForDrift.value;
  assert.deepEqual(driftOf(costs(1, least - 1, 0, () => 0)), { kind: "unknown", n: least - 1, least });
  assert.equal(driftOf(Array.from({ length: least }, (_, at) => ({ at, value: 5 }))).kind, "none");
});

test("a chain of ratios has their product, and errors that grow as their root", () => {
  const { change, low, high } = chainedChange(Array.from({ length: 4 }, () => ({ ratio: 1.01, low: 1, high: 1.0201 })));
  assert.ok(Math.abs(change - 0.0406) < 1e-4 && Math.abs(low - 0.0201) < 1e-3 && Math.abs(high - 0.0615) < 1e-3);
});
