import assert from "node:assert/strict";
import { test } from "node:test";
import { BEGUN, type Look, progressed, stuck } from "./progress.ts";

/** What is said of a step after these looks, one after the other. */
const after = (looks: readonly Look[]) => stuck(looks.reduce(progressed, BEGUN));
const looks = (count: number, at: (n: number) => Look) => Array.from({ length: count }, (_, n) => at(n));

test("a step that prints now and then is never given up, however slow it is", () => {
  const slow = looks(10_000, (n) => ({ printedBytes: Math.floor(n / 30), cpuMs: 0 }));
  assert.equal(after(slow), null);
});

test("a silent step that works is not given up until it has used more CPU time than any test needs", () => {
  const working = looks(300, (n) => ({ printedBytes: 1, cpuMs: 1_000 * n }));
  assert.equal(after(working), null);
  const endless = looks(200, (n) => ({ printedBytes: 1, cpuMs: 10_000 * n }));
  assert.match(after(endless)!, /printed nothing while it used \d+ s of CPU time/);
});

test("a step that waits for nothing is given up, be its timers at work", () => {
  const waiting = looks(200, (n) => ({ printedBytes: 1, cpuMs: 20 * n }));
  assert.match(after(waiting)!, /printed nothing and did nothing/);
  assert.equal(after(waiting.slice(0, 30)), null);
});

test("a step that says nothing for an hour is given up, whatever it does meanwhile", () => {
  const silent = looks(800, (n) => ({ printedBytes: 1, cpuMs: 1_000 * n }));
  assert.match(after(silent)!, /printed nothing for \d{3} looks/);
});

test("a process that ends, with its CPU time, is a sign of life", () => {
  const ending = looks(700, (n) => ({ printedBytes: 1, cpuMs: n % 30 === 0 ? 0 : 5_000 }));
  assert.equal(after(ending), null);
});
