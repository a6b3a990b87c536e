import assert from "node:assert/strict";
import { test } from "node:test";
import { quietWatch, whileItWorks } from "./start-patience.ts";

/** A starting server by second: CPU time in ns and all it wrote. Returns the second at which it is given up; null if never. */
function givenUpAt(seconds: number, cpuNs: (second: number) => number | null, said = (_: number) => ""): number | null {
  let second = 0;
  const child = { pid: 1, stdout: () => said(second), stderrTail: () => "" };
  const isQuiet = quietWatch({ child }, 60_000, { now: () => second * 1_000, cpuNs: () => cpuNs(second) });
  for (; second < seconds; second++) if (isQuiet()) return second;
  return null;
}

test("a starting server is waited for while it uses CPU time or writes, and a minute longer", () => {
  assert.equal(givenUpAt(200, () => 0), 60);
  assert.equal(givenUpAt(200, (second) => second * 5e8), null, "it computes");
  assert.equal(givenUpAt(200, (second) => second * 1e6), 60, "timers of a runtime are no work");
  assert.equal(givenUpAt(200, (second) => Math.min(second, 30) * 5e8), 90, "it computed for half a minute");
  assert.equal(givenUpAt(200, () => 0, (second) => "waiting for the database\n".repeat(second / 20)), null);
  assert.equal(givenUpAt(200, () => null), null, "no counters, no guess");
});

test("a time in which the driver was halted is one look", () => {
  let now = 0;
  const child = { pid: 1, stdout: () => "", stderrTail: () => "" };
  const isQuiet = quietWatch({ child }, 60_000, { now: () => now, cpuNs: () => 0 });
  now = 3_600_000;
  assert.equal(isQuiet(), false);
});

test("a wait ends with what was waited for, or at its limit", async () => {
  const child = { pid: process.pid, stdout: () => "", stderrTail: () => "" };
  assert.equal(await whileItWorks({ child }, 10_000, Promise.resolve("ready")), "ready");
  assert.equal(await whileItWorks({ child }, 20, new Promise(() => {})), "timeout");
});
