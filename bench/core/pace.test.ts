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
  // The same step its mean of 6 s; the ceiling as all did against what was expected, in which two steps count for little.
  const all = (12_000 + 8 * solo!) / (10 * solo!);
  assert.ok(Math.abs(pace.remainingMs([ahead[0]!]) - (ahead[0]!.kind === "ceiling" ? ceiling! * all : 6_000)) < 1e-6);
  assert.equal(pace.remainingMs([first]), 6_000);
  // The other one as those of its kind, of which what all took was expected.
  const other = ahead.findLast((step) => step.kind === "solo")!;
  const ofKind = (12_000 + 8 * solo! * all) / (10 * solo!);
  assert.ok(Math.abs(pace.remainingMs([other]) - solo! * ofKind) < 1e-6);
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
  for (let n = 0; n < 500; n++) {
    pace.note(solo, 2 * expectedMs(two, solo));
    pace.note(ceiling, 2 * expectedMs(two, ceiling));
  }
  const share = pace.remainingMs([duet]) / expected;
  assert.ok(share > 1.97 && share < 2, `${share}`);
  // Those of its own kind count for more than all others, and what it is asked to do besides is another step.
  for (let n = 0; n < 500; n++) pace.note(duet, 3 * expected);
  const alone = { ...duet, alone: true };
  assert.ok(Math.abs(pace.remainingMs([duet]) - 3 * expected) < 1e-6);
  const ofKind = pace.remainingMs([alone]) / expectedMs(two, alone);
  assert.ok(ofKind > 2.97 && ofKind < 3, `${ofKind}`);
  assert.ok(expectedMs(two, alone) > expected);
});

test("one step that took ten times as long moves what is left little, as many that took twice as long do not", () => {
  const cells = smallPlan.cells.slice(0, 2);
  const many: Plan = { ...smallPlan, cells, solo: cells.map((_, cell) => ({ cell, rounds: 20 })), rounds: 20 };
  const others = scheduleOf(many).filter((step) => step.kind === "solo" && step.cells[0] !== cells[0]);
  const [odd] = scheduleOf(many).filter((step) => step.kind === "solo" && step.cells[0] === cells[0]);
  const pace = paceOf(many);
  const before = pace.remainingMs(others);
  pace.note(odd!, 10 * expectedMs(many, odd!));
  const after = pace.remainingMs(others) / before;
  assert.ok(after > 1 && after < 3, `after one step ${after}`);
  const slow = paceOf(many);
  for (let n = 0; n < 40; n++) slow.note(odd!, 2 * expectedMs(many, odd!));
  const settled = slow.remainingMs(others) / before;
  assert.ok(settled > 1.8 && settled <= 2, `after forty ${settled}`);
});

test("before any step is made, an earlier run on this machine says how long they take", () => {
  const ahead = scheduleOf(plan);
  assert.equal(paceOf(plan, 1.5).remainingMs(ahead), 1.5 * paceOf(plan).remainingMs(ahead));
});
