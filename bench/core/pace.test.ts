import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { paceOf } from "./pace.ts";
import { loadedMs, type Plan, scheduleOf } from "./plan.ts";

const plan: Plan = { ...smallPlan, cells: smallPlan.cells.slice(0, 2), solo: [0, 1], rounds: 1 };

test("what is left is told from each step's own times, or from its load and what others took beyond theirs", () => {
  const pace = paceOf(plan);
  const ahead = scheduleOf(plan);
  assert.equal(loadedMs(plan), 11_000);
  assert.equal(pace.remainingMs([]), 0);
  assert.equal(pace.remainingMs(ahead), 11_000 + 3 * 700);
  const first = ahead.find((step) => step.kind === "solo")!;
  pace.note(first, 5_000);
  pace.note(first, 7_000);
  // The same step its mean of 6 s; the other one 5 s and the ceiling 1 s, and 1 s beyond each.
  assert.equal(pace.remainingMs(ahead), 6_000 + (5_000 + 1_000) + (1_000 + 1_000));
});
