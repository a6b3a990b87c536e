import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compactHistogram,
  countOf,
  expectedIntervalUs,
  type LatencyHistogram,
  littlesLawGap,
  meanUs,
  percentileUs,
  recoverRaw,
} from "./latency-histogram.ts";
import { createRandom } from "../basics/random.ts";

/** What wrk 4.1.0 does to its histogram in `stats_correct`: the same loops over the same flat array. */
function rewriteAsWrkDoes(raw: LatencyHistogram, interval: number): LatencyHistogram {
  const max = raw.at(-1)?.[0] ?? 0;
  const data = new Array<number>(max + 1).fill(0);
  for (const [us, count] of raw) data[us] = count;
  for (let n = interval * 2; n <= max; n++) {
    const count = data[n]!;
    for (let m = n - interval; count > 0 && m > interval; m -= interval) data[m]! += count;
  }
  return data.flatMap((count, us): [number, number][] => count === 0 ? [] : [[us, count]]);
}

test("what wrk rewrote is recovered exactly from any histogram", () => {
  const seed = 4_1_0;
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let rewritten = 0;
  for (let round = 0; round < 500; round++) {
    const connections = 1 + below(64);
    const interval = 1 + below(300);
    const values = new Map<number, number>();
    for (let n = 1 + below(80); n > 0; n--) values.set(1 + below(interval * 9), 1 + below(50));
    const raw = [...values].sort((a, b) => a[0] - b[0]);
    const requests = countOf(raw) + connections;
    // The longest window that still gives this interval, or any shorter one, by C's integer divisions.
    const perConnection = Math.floor(requests / connections);
    const durationUs = interval * perConnection + below(perConnection);
    const correction = { durationUs, requests, connections };
    assert.equal(expectedIntervalUs(correction), interval);
    const reported = rewriteAsWrkDoes(raw, interval);
    if (countOf(reported) !== countOf(raw)) rewritten++;
    assert.deepEqual(recoverRaw(reported, correction), raw, `seed ${seed}, round ${round}`);
  }
  assert.ok(rewritten > 300, `only ${rewritten} of 500 histograms were changed at all`);
});

test("with less than one request a connection wrk leaves its histogram alone, and so does the recovery", () => {
  const reported: LatencyHistogram = [[10, 1], [900_000, 3]];
  const correction = { durationUs: 1_000_000, requests: 4, connections: 50 };
  assert.equal(expectedIntervalUs(correction), undefined);
  assert.deepEqual(recoverRaw(reported, correction), reported);
});

test("percentiles are nearest ranks: the least latency that enough requests did not exceed", () => {
  const histogram: LatencyHistogram = [[10, 50], [20, 40], [30, 9], [1_000, 1]];
  assert.equal(percentileUs(histogram, 0.5), 10);
  assert.equal(percentileUs(histogram, 0.501), 20);
  assert.equal(percentileUs(histogram, 0.9), 20);
  assert.equal(percentileUs(histogram, 0.99), 30);
  assert.equal(percentileUs(histogram, 0.999), 1_000);
  assert.equal(percentileUs(histogram, 0), 10);
  assert.equal(percentileUs(histogram, 1), 1_000);
  assert.equal(percentileUs([], 0.5), 0);
});

test("percentiles agree with sorting every single latency", () => {
  const seed = 99;
  const random = createRandom(seed);
  const all = Array.from({ length: 997 }, () => Math.floor(random() * 400)).sort((a, b) => a - b);
  const counts = new Map<number, number>();
  for (const us of all) counts.set(us, (counts.get(us) ?? 0) + 1);
  for (const share of [0.01, 0.25, 0.5, 0.9, 0.99, 0.999]) {
    assert.equal(percentileUs([...counts], share), all[Math.ceil(share * all.length) - 1], `seed ${seed}, ${share}`);
  }
  assert.ok(Math.abs(meanUs([...counts]) - all.reduce((a, b) => a + b) / all.length) < 1e-9);
});

test("compacting keeps every request and no latency moves by more than half of its third digit", () => {
  const histogram: LatencyHistogram = [[1, 1], [999, 2], [1_000, 3], [1_004, 4], [1_005, 5], [99_949, 6], [99_951, 7]];
  const small = compactHistogram(histogram);
  assert.deepEqual(small, [[1, 1], [999, 2], [1_000, 7], [1_010, 5], [99_900, 6], [100_000, 7]]);
  assert.equal(countOf(small), countOf(histogram));
});

test("Little's law holds when rate times latency is the number of connections, and its gap is relative", () => {
  const load = { durationUs: 1_000_000, requests: 1_000, connections: 10 };
  assert.ok(Math.abs(littlesLawGap([[10_000, 1_000]], load)) < 1e-12);
  assert.ok(Math.abs(littlesLawGap([[11_000, 1_000]], load) - 0.1) < 1e-12);
  assert.ok(Math.abs(littlesLawGap([[5_000, 1_000]], load) + 0.5) < 1e-12);
});
