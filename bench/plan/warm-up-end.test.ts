import assert from "node:assert/strict";
import { test } from "node:test";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Slice } from "../record/observation-record.ts";
import { warmupEnd, type WarmupRule, type WarmupSoFar, warmupWork } from "./warm-up-end.ts";

const RULE: WarmupRule = { least: "enough-to-compile", until: "flat", leastMs: 1_000, mostMs: 60_000 };
const FAR: WarmupSoFar = { watchedMs: 5_000, loadedMs: 5_000, endsMs: null, slices: () => [slices(50, 2_000)] };

/** So many slices of so many requests each, 10 µs a request at first and as many times that in the end. */
const slices = (count: number, requests: number, change = 1): Slice[] =>
  Array.from({ length: count }, (_, n) => ({
    requests,
    cpu_ns: requests * 10_000 * (1 + (change - 1) * n / count) * (n % 2 === 0 ? 1.002 : 0.998),
  }));

/** Fifty slices whose cost doubles and falls back: neither flat nor changing. */
const noisy = (requests: number): Slice[] =>
  Array.from({ length: 50 }, (_, n) => ({ requests, cpu_ns: requests * 10_000 * (1 + (n * n) % 5 / 2) }));

const endOf = (rule: Partial<WarmupRule>, far: Partial<WarmupSoFar>) =>
  warmupEnd({ ...RULE, ...rule }, { ...FAR, ...far })?.ended ?? null;

test("a warm-up ends when its servers are steady, not before they have done enough, and is given up in the end", () => {
  const end = warmupEnd(RULE, FAR)!;
  assert.deepEqual([end.ended, end.judged!.steadiness, end.judged!.judged_slices], ["steady", ["flat"], 50]);
  assert.equal(endOf({}, { loadedMs: 999 }), null);
  assert.equal(endOf({ settleMs: 9_999 }, { slices: () => [slices(50, 790)] }), null, "the least must be done");
  assert.equal(endOf({ least: "nothing" }, { slices: () => [slices(50, 10)] }), "steady");
  assert.equal(endOf({}, { slices: () => [slices(50, 1_000, 1.5)] }), null);
  assert.equal(endOf({}, { slices: () => [slices(50, 200_000, 1.5)] }), "most");
  assert.equal(endOf({ least: "nothing" }, { slices: () => [slices(50, 200_000, 1.5)] }), null);
  assert.equal(endOf({}, { slices: () => [noisy(1_100)] }), null, "noise hides if it changes, and little is done");
  assert.equal(endOf({}, { slices: () => [noisy(1_300)] }), "most", "noise does not go on for long");
  assert.equal(endOf({ settleMs: 400 }, { slices: () => [noisy(1_100)] }), null);
  assert.equal(endOf({ settleMs: 500 }, { slices: () => [noisy(1_100)] }), "most", "enough is done by its window");
  assert.equal(endOf({}, { slices: () => [noisy(1_100)], endsMs: 5_500 }), "most", "and when the generator ends");
  const slow = noisy(29).map((slice) => ({ ...slice, cpu_ns: 100 * slice.cpu_ns }));
  assert.equal(endOf({ settleMs: 500 }, { slices: () => [slow] }), null, "CPU time by then is none");
  assert.equal(endOf({ settleMs: 9_999 }, { slices: () => [noisy(790)] }), null, "the least must be done");
  assert.equal(endOf({ settleMs: 9_999 }, { slices: () => [slices(50, 1_300, 1.5)] }), null, "what changes goes on");
  assert.equal(endOf({}, { watchedMs: 60_000 }), "most");
  assert.equal(endOf({}, { watchedMs: 60_000, loadedMs: -Infinity }), null, "its generator waits for a CPU");
});

test("servers that were steady alone may be unclear together, but none may move", () => {
  const together = { least: "nothing", until: "not-moving" } as const;
  assert.equal(endOf({ until: "flat", least: "nothing" }, { slices: () => [slices(2, 9), slices(2, 9)] }), null);
  assert.equal(endOf(together, { slices: () => [slices(2, 9), slices(2, 9)] }), "steady");
  assert.equal(endOf(together, { slices: () => [slices(50, 2_000), slices(50, 2_000, 1.5)] }), null);
});

test("a planned warm-up ends at its time, also when that is when its generator would end now", () => {
  const slices = () => assert.fail("slices decide nothing");
  assert.equal(endOf({ until: "time" }, { loadedMs: 950, slices }), null);
  assert.equal(endOf({ until: "time" }, { loadedMs: 950, endsMs: 1_000, slices }), "planned");
  assert.equal(endOf({ until: "time" }, { loadedMs: 1_000, slices }), "planned");
});

/** CPU time in seconds after which a server whose requests take so many microseconds has done enough. */
function enoughAfter(costUs: number): number {
  for (let seconds = 0; seconds < 100; seconds += 0.01) {
    if (warmupWork({ requests: seconds * 1e6 / costUs, cpuMs: 1_000 * seconds }) >= 1) return seconds;
  }
  throw new Error("never");
}

test("on a machine of any speed no server of some hundred microseconds a request is through before engines compile", () => {
  // V8 compiles what serves a request for good when it has run 16 384 times.
  for (const speed of [0.5, 1, 2]) {
    for (const us of [20, 50, 100, 165, 200, 290, 365].map((costUs) => costUs / speed)) {
      if (us < THRESHOLDS.warmupSlowRequestNs / 1e3) assert.ok(enoughAfter(us) * 1e6 / us > 16_400, `${us} µs`);
    }
  }
});

test("fast servers are through by their requests, scans by CPU time, and no wait is longer than a warm-up may be", () => {
  assert.ok(Math.abs(enoughAfter(20) - 0.8) < 0.02);
  assert.ok(Math.abs(enoughAfter(150) - 5) < 0.02);
  assert.ok(Math.abs(enoughAfter(365) - 6.21) < 0.02);
  assert.ok(Math.abs(enoughAfter(25_000) - 2) < 0.02);
  for (let costUs = 10; costUs < 100_000; costUs *= 1.1) {
    assert.ok(enoughAfter(costUs) < 0.75 * THRESHOLDS.warmupMostMs / 1e3, `${costUs} µs`);
  }
});

test("nothing done is no work, and more done is never less", () => {
  assert.equal(warmupWork({ requests: 0, cpuMs: 0 }), 0);
  for (const costUs of [20, 290, 2_000]) {
    const works = Array.from({ length: 50 }, (_, n) => warmupWork({ requests: n * 1_000, cpuMs: n * costUs }));
    works.slice(1).forEach((work, n) => assert.ok(work >= works[n]!, `${costUs} µs`));
  }
});
