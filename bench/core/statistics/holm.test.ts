import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../random.ts";
import { holm } from "./holm.ts";

test("adjusted p agrees with R's p.adjust(method = 'holm') on its textbook row", () => {
  const steps = holm([0.01, 0.04, 0.03, 0.005], 0.05);
  const expected = [0.03, 0.06, 0.06, 0.02];
  steps.forEach((step, index) => assert.ok(Math.abs(step.adjustedP - expected[index]!) < 1e-15, `${index}`));
  assert.deepEqual(steps.map(({ rejected }) => rejected), [true, false, false, true]);
});

test("steps are held against alpha over the tests left, and stop at the first that fails", () => {
  const steps = holm([0.01, 0.04, 0.03, 0.005], 0.05);
  assert.deepEqual(steps.map(({ stepAlpha }) => stepAlpha), [0.05 / 3, 0.025, 0.025, 0.0125]);
});

test("a later p below its own alpha is not rejected once an earlier one has failed", () => {
  const steps = holm([0.03, 0.04], 0.05);
  assert.deepEqual(steps.map(({ rejected }) => rejected), [false, false]);
  assert.deepEqual(steps.map(({ adjustedP }) => adjustedP), [0.06, 0.06]);
});

test("rejected, adjusted p and step alpha always say the same, and Holm rejects all that Bonferroni does", () => {
  const seed = 99;
  const random = createRandom(seed);
  for (let run = 0; run < 2_000; run++) {
    const ps = Array.from({ length: 1 + Math.floor(random() * 12) }, () => random() ** 4);
    for (const { p, rejected, adjustedP, stepAlpha } of holm(ps, 0.05)) {
      const told = `seed ${seed}, run ${run}: p ${p} of ${ps}`;
      assert.equal(rejected, adjustedP < 0.05, told);
      assert.equal(rejected, p < stepAlpha, told);
      assert.ok(adjustedP >= p && adjustedP <= 1, told);
      if (p < 0.05 / ps.length) assert.ok(rejected, told);
    }
  }
});

test("an empty family is fine, and a p or alpha out of range is refused", () => {
  assert.deepEqual(holm([], 0.05), []);
  assert.throws(() => holm([Number.NaN], 0.05), RangeError);
  assert.throws(() => holm([1.1], 0.05), RangeError);
  assert.throws(() => holm([0.5], 0), RangeError);
});
