import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { parseLimit } from "../basics/units.ts";
import { KNEE, type KneeStep, searchKnee } from "./knee.ts";

/** Searches on a server that is asked whether it holds a rate; gives the steps and the end. */
function search(capacity: number, holds: (perSecond: number, n: number) => boolean | null) {
  const steps: Pick<KneeStep, "per_second" | "holds">[] = [];
  for (;;) {
    const next = searchKnee(steps, capacity);
    if (next.kind !== "try") return { steps, end: next };
    assert.ok(steps.length < 60, "it does not end");
    steps.push({ per_second: next.perSecond, holds: holds(next.perSecond, steps.length) });
  }
}

test("the knee is found within the tolerance wherever it is, never above it, and has held three times", () => {
  for (const knee of [400, 900, 2_500, 5_000, 7_777, 9_999, 11_000]) {
    const { steps, end } = search(10_000, (rate) => rate <= knee);
    assert.equal(end.kind, "found");
    const found = end.kind === "found" ? end.perSecond : 0;
    assert.ok(found <= knee && found >= knee / (1 + KNEE.tolerance) - 1, `${found} of ${knee}`);
    assert.ok(steps.filter((step) => step.per_second === found && step.holds).length >= 3);
    assert.ok(steps.length <= 16, `${steps.length} steps`);
  }
});

test("a server that holds everything is asked for little more than its closed-loop rate, and that is said", () => {
  const { end, steps } = search(10_000, () => true);
  assert.ok(end.kind === "found" && end.capped && end.perSecond <= KNEE.most * 10_000);
  assert.ok(Math.max(...steps.map((step) => step.per_second)) <= KNEE.most * 10_000);
});

test("a server that holds nothing has no knee, and the search ends", () => {
  const { end, steps } = search(10_000, () => false);
  assert.equal(end.kind, "none");
  assert.ok(steps.length < 10);
});

test("a rate that held twice and failed when it was confirmed is not the knee", () => {
  let seen = 0;
  const { end } = search(10_000, (rate) => {
    if (rate > 8_000) return false;
    if (rate > 7_500) return ++seen < 3;
    return true;
  });
  // The highest rate that was tried and held, with none between it and 7 500.
  assert.deepEqual(end, { kind: "found", perSecond: 7_389, capped: false });
});

test("steps that cannot be judged are made again, and too many of them end the search", () => {
  const once = search(10_000, (rate, n) => n === 2 ? null : rate <= 6_000);
  assert.equal(once.end.kind, "found");
  const never = search(10_000, () => null);
  assert.equal(never.end.kind, "open");
  assert.equal(never.steps.length, KNEE.again + 1);
});

test("near its knee a server holds by chance: what is found is a rate it nearly always holds", () => {
  const random = createRandom(7);
  for (let n = 0; n < 200; n++) {
    // Holds surely below 8 000, never above 9 000, in between ever less.
    const { end } = search(10_000, (rate) => random() < (9_000 - rate) / 1_000);
    assert.ok(end.kind === "found" && end.perSecond < 9_000 && end.perSecond > 6_500, JSON.stringify(end));
  }
});

test("limits are read as they are written, and nothing else is one", () => {
  assert.deepEqual(parseLimit("p99<10ms"), { share: 0.99, us: 10_000, text: "p99<10ms" });
  assert.deepEqual(parseLimit("p99.9 < 1s"), { share: 0.999, us: 1e6, text: "p99.9<1s" });
  for (const other of ["", "p99", "p99<10", "99<10ms", "p100<1ms", "p0<1ms", "p99<0ms", "p99>10ms"]) {
    assert.equal(parseLimit(other), undefined, other);
  }
});
