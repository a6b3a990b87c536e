import assert from "node:assert/strict";
import { test } from "node:test";
import { lack, lossText } from "./lacks.ts";
import { createRandom } from "../basics/random.ts";
import { estimateScaling, scalingCheck, type ScalingEstimate, type ScalingRule } from "./scaling.ts";
import { normal } from "../../tests/fixtures/simulation.ts";

const sizes = [10_000, 100_000, 1_000_000];

const CONSTANT: ScalingRule = { law: "O(1)", least: -0.1, greatest: 0.05 };
const LOGARITHMIC: ScalingRule = { law: "O(log n)", least: -0.2, greatest: 0.05 };
const LINEAR: ScalingRule = { law: "O(n)", least: -1.2, greatest: -0.5 };

/** Six rounds of a server whose request takes a fixed time and a lookup of the given time, both in µs. */
function measured(fixedUs: number, lookupUs: (size: number) => number, sd: number, seed: number): ScalingEstimate {
  const random = createRandom(seed);
  const rounds = Array.from({ length: 6 }, () => {
    const drift = 0.8 + 0.4 * random();
    return sizes.map((size) => ({
      value: size,
      rps: drift * 1e6 / (fixedUs + lookupUs(size)) * Math.exp(sd * normal(random)),
    }));
  });
  return estimateScaling(rounds, 0.95);
}

test("an exact power law gives its exponent", () => {
  const rounds = [1, 1.1, 0.9].map((drift) => sizes.map((size) => ({ value: size, rps: drift * 1e9 * size ** -0.75 })));
  const estimate = estimateScaling(rounds, 0.95);
  assert.ok(estimate.kind === "estimated");
  assert.ok(Math.abs(estimate.exponent + 0.75) < 1e-12);
  assert.equal(estimate.n, 3);
  assert.deepEqual(estimate.values, sizes);
});

test("the least-squares slope of a bent line agrees with a hand count", () => {
  // At x = 1, 2, 3 (in tens) the logs are 0, 0, -1: slope = (-1 x 0 + 1 x -1) / 2 = -0.5.
  const rounds = [1, 2].map(() => [{ value: 10, rps: 1 }, { value: 100, rps: 1 }, { value: 1_000, rps: 0.1 }]);
  const estimate = estimateScaling(rounds, 0.95);
  assert.ok(estimate.kind === "estimated" && Math.abs(estimate.exponent + 0.5) < 1e-12);
});

test("servers with a map, a tree and a scan fit what they promise, and a scan does not fit O(1)", () => {
  const seed = 31;
  const map = measured(10, () => 0.2, 0.02, seed);
  const tree = measured(5, (size) => 0.3 * Math.log2(size), 0.02, seed);
  const scan = measured(10, (size) => size / 1_000, 0.02, seed);
  const told = `seed ${seed}`;
  assert.equal(scalingCheck(CONSTANT, map).kind, "fits", told);
  assert.equal(scalingCheck(LOGARITHMIC, tree).kind, "fits", told);
  assert.equal(scalingCheck(LINEAR, scan).kind, "fits", told);
  assert.equal(scalingCheck(CONSTANT, scan).kind, "does-not-fit", told);
  assert.equal(scalingCheck(LOGARITHMIC, scan).kind, "does-not-fit", told);
  assert.equal(scalingCheck(LINEAR, map).kind, "does-not-fit", told);
});

test("an interval across the edge and an unknown estimate are unknown with a reason", () => {
  const edge: ScalingEstimate = {
    kind: "estimated",
    exponent: -0.1,
    interval: { low: -0.15, high: -0.05, level: 0.95 },
    n: 6,
    values: sizes,
  };
  const check = scalingCheck(CONSTANT, edge);
  assert.ok(check.kind === "unknown" && lossText(check.lack).includes("O(1)"));
  assert.equal(scalingCheck(CONSTANT, { kind: "unknown", lack: lack("span-short", { least: 30 }) }).kind, "unknown");
});

test("a round without every value is left out; one round, one value or a wrong rate is unknown", () => {
  const full = sizes.map((size) => ({ value: size, rps: 5_000 + size / 1e5 }));
  const holed = [...full.slice(0, 2), { value: 1_000_000, rps: null }];
  const estimate = estimateScaling([full, holed, full, full], 0.95);
  assert.ok(estimate.kind === "estimated" && estimate.n === 3);
  assert.equal(estimateScaling([full, holed], 0.95).kind, "unknown");
  assert.equal(estimateScaling([full.slice(0, 1), full.slice(0, 1)], 0.95).kind, "unknown");
  assert.equal(estimateScaling([], 0.95).kind, "unknown");
  assert.equal(estimateScaling([[{ value: 10, rps: 0 }], full], 0.95).kind, "unknown");
});
