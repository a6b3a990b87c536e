import assert from "node:assert/strict";
import { test } from "node:test";
import { adjustedP, familyLevel } from "./simultaneous.ts";

test("all intervals of a family hold together with 95 %, whatever its size", () => {
  assert.deepEqual(familyLevel(1), { comparisons: 1, level: 0.95, levelEach: 0.95 });
  assert.ok(Math.abs(familyLevel(36).levelEach - (1 - 0.05 / 36)) < 1e-15);
  assert.deepEqual(familyLevel(0), { comparisons: 0, level: 0.95, levelEach: 0.95 });
});

test("an adjusted p is below 0.05 exactly when the p is below what the family's interval leaves out", () => {
  const family = familyLevel(10);
  assert.ok(adjustedP(0.0049, family) < 0.05 && adjustedP(0.0051, family) > 0.05);
  assert.equal(adjustedP(0.3, family), 1);
});
