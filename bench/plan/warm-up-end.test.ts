import assert from "node:assert/strict";
import { test } from "node:test";
import type { Slice } from "../statistics/steady.ts";
import { warmupEnd, type WarmupRule, type WarmupSoFar } from "./warm-up-end.ts";

const RULE: WarmupRule = { least: "enough-to-compile", until: "flat", leastMs: 1_000, mostMs: 60_000 };
const FAR: WarmupSoFar = { watchedMs: 5_000, loadedMs: 5_000, endsMs: null, slices: () => [slices(50, 2_000)] };

/** So many slices of so many requests each, 10 µs a request at first and as many times that in the end. */
const slices = (count: number, requests: number, change = 1): Slice[] =>
  Array.from({ length: count }, (_, n) => ({
    requests,
    cpuNs: requests * 10_000 * (1 + (change - 1) * n / count) * (n % 2 === 0 ? 1.002 : 0.998),
  }));

const endOf = (rule: Partial<WarmupRule>, far: Partial<WarmupSoFar>) =>
  warmupEnd({ ...RULE, ...rule }, { ...FAR, ...far })?.ended ?? null;

test("a warm-up ends when its servers are steady, not before they have done enough, and is given up in the end", () => {
  const end = warmupEnd(RULE, FAR)!;
  assert.deepEqual([end.ended, end.judged!.steadiness, end.judged!.judged_slices], ["steady", ["flat"], 50]);
  assert.equal(endOf({}, { loadedMs: 999 }), null);
  assert.equal(endOf({}, { slices: () => [slices(50, 10)] }), null);
  assert.equal(endOf({ least: "nothing" }, { slices: () => [slices(50, 10)] }), "steady");
  assert.equal(endOf({}, { slices: () => [slices(50, 1_000, 1.5)] }), null);
  assert.equal(endOf({}, { slices: () => [slices(50, 200_000, 1.5)] }), "most");
  assert.equal(endOf({ least: "nothing" }, { slices: () => [slices(50, 200_000, 1.5)] }), null);
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
