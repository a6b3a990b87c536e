import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { compareRounds, compareUnpaired, type RoundPair } from "./compare.ts";
import { ratioInterval, twoSidedP } from "./estimate.ts";
import { normal } from "../../tests/fixtures/simulation.ts";

const pairs = (a: readonly (number | null)[], b: readonly (number | null)[]): RoundPair[] =>
  a.map((value, round) => ({ round, over: value, under: b[round]! }));

test("log ratios, t and p agree with R's paired t.test on Student's sleep data", () => {
  // R: t.test(extra ~ group, data = sleep, paired = TRUE): t = 4.0621, df = 9, p = 0.002833.
  const drug1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
  const drug2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
  const result = compareRounds(pairs(drug2.map(Math.exp), drug1.map(Math.exp)), "higher");
  assert.ok(result.kind === "measured");
  const p = twoSidedP(result.logRatio), interval = ratioInterval(result.logRatio, 0.95);
  assert.ok(Math.abs(p - 0.002833) < 5e-7, String(p));
  assert.ok(Math.abs(Math.log(result.ratio) - 1.58) < 1e-12);
  assert.ok(Math.abs(Math.log(interval.low) - 0.7001) < 1e-4);
  assert.ok(Math.abs(Math.log(interval.high) - 2.4599) < 1e-4);
});

test("the ratio says how many times as fast the first is, whichever way the unit runs", () => {
  const rates = compareRounds(pairs([200, 210, 190], [100, 104, 96]), "higher");
  const costs = compareRounds(pairs([50, 49, 51], [100, 101, 99]), "lower");
  assert.ok(rates.kind === "measured" && Math.abs(rates.ratio - 2) < 0.01);
  assert.ok(costs.kind === "measured" && Math.abs(costs.ratio - 2) < 0.01);
});

test("swapping the cells inverts ratio and interval, and drift common to a round changes nothing", () => {
  const seed = 3;
  const random = createRandom(seed);
  for (let run = 0; run < 200; run++) {
    const a = Array.from({ length: 6 }, () => 100 * Math.exp(0.05 * normal(random)));
    const b = Array.from({ length: 6 }, () => 90 * Math.exp(0.05 * normal(random)));
    const drift = a.map(() => 0.5 + random());
    const plain = compareRounds(pairs(a, b), "higher");
    const swapped = compareRounds(pairs(b, a), "higher");
    const drifted = compareRounds(pairs(a.map((x, i) => x * drift[i]!), b.map((x, i) => x * drift[i]!)), "higher");
    assert.ok(plain.kind === "measured" && swapped.kind === "measured" && drifted.kind === "measured");
    const told = `seed ${seed}, run ${run}`;
    assert.ok(Math.abs(plain.ratio * swapped.ratio - 1) < 1e-12, told);
    const intervals = [plain, swapped].map(({ logRatio }) => ratioInterval(logRatio, 0.95));
    assert.ok(Math.abs(intervals[0]!.low * intervals[1]!.high - 1) < 1e-12, told);
    const [p, swappedP, driftedP] = [plain, swapped, drifted].map(({ logRatio }) => twoSidedP(logRatio));
    assert.ok(Math.abs(p! - swappedP!) < 1e-12, told);
    assert.ok(Math.abs(plain.ratio - drifted.ratio) < 1e-12 && Math.abs(p! - driftedP!) < 1e-9, told);
  }
});

test("rounds without both values are left out", () => {
  const result = compareRounds(pairs([10, null, 11, 12], [9, 9, null, 10]), "higher");
  assert.equal(result.kind, "measured");
  assert.equal(result.n, 2);
});

test("fewer than two complete rounds, a value that is not positive, and copied values give a reason", () => {
  const causeOf = (a: (number | null)[], b: (number | null)[]) => {
    const result = compareRounds(pairs(a, b), "higher");
    return result.kind === "unmeasured" ? result.lack.code : result.kind;
  };
  assert.equal(causeOf([], []), "too-few-rounds");
  assert.equal(causeOf([10, null], [9, 9]), "too-few-rounds");
  assert.equal(causeOf([10, 0, 11], [9, 9, 9]), "value-not-positive");
  assert.equal(causeOf([10, 11, 11], [9, -1, 9]), "value-not-positive");
  assert.equal(causeOf([10, Number.NaN, 11], [9, 9, 9]), "value-not-positive");
  assert.equal(causeOf([10, 11, 12], [10, 11, 12]), "no-spread");
  assert.equal(causeOf([10.5, 21, 31.5], [10, 20, 30]), "no-spread");
});

test("a round given twice is refused", () => {
  assert.throws(
    () => compareRounds([{ round: 1, over: 1, under: 1 }, { round: 1, over: 2, under: 2 }], "higher"),
    RangeError,
  );
});

test("cells of different runs compare by Welch's test, its degrees of freedom rounded down to whole ones", () => {
  // By hand: t = -1.5 / sqrt(0.5 + 0.65) = -1.3988, degrees 1.15^2 / (0.5^2 / 4 + 0.65^2 / 4) = 7.87, so 7: p = 0.2046.
  const a = [1, 2, 3, 4, 5].map(Math.exp), b = [2, 4, 6, 4, 6.5].map(Math.exp);
  const result = compareUnpaired(a, b, "higher");
  assert.ok(result.kind === "measured");
  assert.equal(result.logRatio.degrees, 7);
  const p = twoSidedP(result.logRatio);
  assert.ok(Math.abs(p - 0.2046) < 5e-5, String(p));
});
