import assert from "node:assert/strict";
import { test } from "node:test";
import { lossText } from "./lacks.ts";
import { createRandom } from "../basics/random.ts";
import { leastForMedianInterval, median, medianInterval } from "./median.ts";

test("six values bound the median by their least and greatest at 96.875 %", () => {
  const result = medianInterval([50, 10, 40, 30, 60, 20]);
  assert.deepEqual(result, { kind: "bounded", median: 35, low: 10, high: 60, n: 6, level: 0.95, coverage: 0.96875 });
});

test("ranks and coverage agree with sums of the binomial table for p = 1/2", () => {
  // n, rank, 1 - 2 P(at most rank - 1 of n), to the four digits printed in tables (Conover, table A3).
  const table = [[8, 1, 0.9922], [9, 2, 0.9609], [12, 3, 0.9614], [15, 4, 0.9648], [20, 6, 0.9586]] as const;
  for (const [n, rank, coverage] of table) {
    const result = medianInterval(Array.from({ length: n }, (_, index) => index + 1));
    assert.ok(result.kind === "bounded");
    assert.equal(result.low, rank, `n = ${n}`);
    assert.equal(result.high, n + 1 - rank, `n = ${n}`);
    assert.ok(Math.abs(result.coverage - coverage) < 6e-5, `n = ${n}: ${result.coverage}`);
  }
});

test("fewer than six values have a median and, instead of an interval, a reason", () => {
  const result = medianInterval([3, 1, 2, 5, 4]);
  assert.equal(result.kind, "unbounded");
  assert.equal(result.median, 3);
  assert.equal(result.low, null);
  assert.match(result.kind === "unbounded" ? lossText(result.lack) : "", /5 values.*needs 6/);
  assert.equal(medianInterval([7]).kind, "unbounded");
});

test("no values have no median", () => {
  const result = medianInterval([]);
  assert.equal(result.kind, "none");
  assert.equal(result.median, null);
  assert.throws(() => median([]), RangeError);
});

test("the least number of values follows the level", () => {
  assert.equal(leastForMedianInterval(0.95), 6);
  assert.equal(leastForMedianInterval(0.99), 8);
  assert.equal(leastForMedianInterval(0.5), 2);
  for (const level of [0.5, 0.9, 0.95, 0.99]) {
    const least = leastForMedianInterval(level);
    const values = Array.from({ length: least }, (_, index) => index);
    assert.equal(medianInterval(values, level).kind, "bounded", `level ${level}`);
    assert.equal(medianInterval(values.slice(1), level).kind, "unbounded", `level ${level}`);
  }
});

test("over many skewed samples the interval covers the true median as often as it claims", () => {
  const seed = 42;
  const random = createRandom(seed);
  let covered = 0;
  const runs = 4_000;
  for (let run = 0; run < runs; run++) {
    const result = medianInterval(Array.from({ length: 12 }, () => -Math.log(1 - random())));
    assert.ok(result.kind === "bounded");
    if (result.low <= Math.LN2 && Math.LN2 <= result.high) covered++;
  }
  assert.ok(Math.abs(covered / runs - 0.9614) < 0.012, `seed ${seed}: covered ${covered} of ${runs}`);
});

test("values that are not finite and levels out of range are refused", () => {
  assert.throws(() => medianInterval([1, Number.NaN]), RangeError);
  assert.throws(() => medianInterval([1, Infinity]), RangeError);
  assert.throws(() => medianInterval([1], 1), RangeError);
});
