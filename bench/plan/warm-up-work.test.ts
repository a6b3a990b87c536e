import assert from "node:assert/strict";
import { test } from "node:test";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { warmupWork } from "./warm-up-work.ts";

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
    for (const costUs of [20, 50, 100, 165, 200, 290, 365]) {
      const requests = enoughAfter(costUs / speed) * 1e6 / (costUs / speed);
      if (costUs / speed < THRESHOLDS.warmupSlowRequestNs / 1e3) {
        assert.ok(requests > 16_400, `${costUs} µs at ${speed}`);
      }
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
