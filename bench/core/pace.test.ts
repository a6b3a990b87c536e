import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { expectedMs, paceOf } from "./pace.ts";
import { loadedMs, type Plan, type PlannedObservation, scheduleOf } from "./plan.ts";

const plan: Plan = {
  ...smallPlan,
  cells: smallPlan.cells.slice(0, 2),
  solo: [0, 1].map((cell) => ({ cell, rounds: 1 })),
  rounds: 1,
};

test("what is left is told from each step's own times, or from its load and what others took beyond theirs", () => {
  const pace = paceOf(plan);
  const ahead = scheduleOf(plan);
  const [ceiling, solo] = ["ceiling", "solo"].map((kind) =>
    expectedMs(plan, ahead.find((step) => step.kind === kind)!)
  );
  assert.equal(loadedMs(plan), 12_000);
  assert.equal(pace.remainingMs([]), 0);
  assert.equal(pace.remainingMs(ahead), ceiling! + 2 * solo!);
  assert.ok(pace.remainingMs(ahead) > loadedMs(plan), "starting and stopping takes its time");
  const first = ahead.find((step) => step.kind === "solo")!;
  pace.note(first, 5_000);
  pace.note(first, 7_000);
  // The same step its mean of 6 s; the other one, of its kind, as much; the ceiling as all did against what was expected.
  assert.ok(Math.abs(pace.remainingMs(ahead) - (6_000 + 6_000 + ceiling! * 6_000 / solo!)) < 1e-6);
});

test("a kind of step none was made of takes its load times what the others took against theirs", () => {
  const ensembles = [{ purpose: "matrix" as const, cells: [0, 1], rounds: 1 }];
  const two: Plan = { ...plan, ensembles, alone_rounds: 0 };
  const [ceiling, solo, duet] = ["ceiling", "solo", "duet"].map((kind) =>
    scheduleOf(two).find((step) => step.kind === kind)!
  ) as [PlannedObservation, PlannedObservation, PlannedObservation];
  const pace = paceOf(two);
  const expected = expectedMs(two, duet);
  assert.equal(pace.remainingMs([duet]), expected);
  pace.note(solo, 2 * expectedMs(two, solo));
  pace.note(ceiling, 2 * expectedMs(two, ceiling));
  assert.equal(pace.remainingMs([duet]), 2 * expected);
  // One of its own kind counts for more than all others, and what it is asked to do besides is another step.
  pace.note(duet, 3 * expected);
  const alone = { ...duet, alone: true };
  assert.equal(pace.remainingMs([duet, alone]), 3 * expected + 3 * expectedMs(two, alone));
  assert.ok(expectedMs(two, alone) > expected);
});

test("before any step is made, an earlier run on this machine says how long they take", () => {
  const ahead = scheduleOf(plan);
  assert.equal(paceOf(plan, 1.5).remainingMs(ahead), 1.5 * paceOf(plan).remainingMs(ahead));
});
