import assert from "node:assert/strict";
import { test } from "node:test";
import { lack, lossText } from "./lacks.ts";
import { sampleOf, tInterval } from "./t-interval.ts";
import { mean, standardDeviation, variation } from "./variation.ts";

test("mean and standard deviation agree with NIST's certified values for the set NumAcc1 and a hand count", () => {
  assert.equal(mean([10_000_001, 10_000_003, 10_000_002]), 10_000_002);
  assert.equal(standardDeviation([10_000_001, 10_000_003, 10_000_002]), 1);
  assert.ok(Math.abs(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9]) - Math.sqrt(32 / 7)) < 1e-15);
});

test("the coefficient of variation is a fraction of the mean and does not change with the unit", () => {
  const result = variation([95, 100, 105]);
  assert.ok(result.kind === "known");
  assert.ok(Math.abs(result.cv - 0.05) < 1e-15);
  const scaled = variation([95_000, 100_000, 105_000]);
  assert.ok(scaled.kind === "known" && Math.abs(scaled.cv - result.cv) < 1e-15);
});

test("one value or a value that is not positive leaves the variation unknown, with the reason", () => {
  assert.deepEqual(variation([5]), { kind: "unknown", n: 1, cv: null, lack: lack("too-few-values", { n: 1 }) });
  for (const wrong of [0, -1, Number.NaN, Infinity]) {
    const result = variation([5, wrong]);
    assert.ok(result.kind === "unknown" && lossText(result.lack).includes(`"${wrong}"`), String(wrong));
  }
});

test("the t interval agrees with the worked example of the extra hours of sleep in Student's paper", () => {
  // Student 1908, drug 2 minus drug 1: mean 1.58, sd 1.23, t = 4.06; 95 % interval 0.70 to 2.46.
  const sample = sampleOf([1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]);
  const interval = tInterval(sample, 0.95);
  assert.ok(Math.abs(sample.mean - 1.58) < 1e-12);
  assert.ok(Math.abs(interval.low - 0.7001) < 1e-4, String(interval.low));
  assert.ok(Math.abs(interval.high - 2.4599) < 1e-4, String(interval.high));
});
