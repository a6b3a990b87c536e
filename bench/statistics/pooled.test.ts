import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { type LatencyHistogram, percentileUs } from "./latency-histogram.ts";
import { pooledQuantile } from "./pooled.ts";

/** A window in which so many of 1 000 requests waited for a halt of 800 ms. */
const withHalt = (waiting: number): LatencyHistogram => [
  [250, 1_000 - waiting] as const,
  ...Array.from({ length: waiting }, (_, n) => [8_000 * (n + 1), 1] as const),
];

test("a halt that one window of five met is in the quantile of all requests, not in the median of windows", () => {
  const windows = [withHalt(0), withHalt(0), withHalt(100), withHalt(0), withHalt(0)];
  assert.equal(windows.map((one) => percentileUs(one, 0.99)).sort((a, b) => a - b)[2], 250);
  assert.equal(pooledQuantile(windows, 0.99).us, 8_000 * 50);
  assert.equal(pooledQuantile(windows, 0.5).us, 250);
  assert.equal(pooledQuantile(windows, 1).us, 800_000);
});

test("few windows give the least and the most of them, and no level", () => {
  const { low, high, level } = pooledQuantile([withHalt(0), withHalt(100)], 0.99);
  assert.deepEqual({ low, high, level }, { low: 250, high: 720_000, level: null });
});

test("the interval of redrawn windows holds the true quantile about as often as it says", () => {
  const random = createRandom(5);
  // One window in four has a halt, so 2.5 % of all requests wait for one, up to 800 ms: 2 % over 160 ms.
  const window = () => withHalt(random() < 0.25 ? 100 : 0);
  const truth = 160_000, runs = 100;
  const held = Array.from({ length: runs }, () => pooledQuantile(Array.from({ length: 24 }, window), 0.98))
    .filter(({ low, high }) => low <= truth && truth <= high).length;
  assert.ok(held >= 0.88 * runs, `${held} of ${runs}`);
});

test("no window is refused", () => assert.throws(() => pooledQuantile([], 0.5), RangeError));
