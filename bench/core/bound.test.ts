import assert from "node:assert/strict";
import { test } from "node:test";
import { boundOf } from "./bound.ts";
import { THRESHOLDS } from "./thresholds.ts";

const { serverBoundShare: s, generatorBoundShare: g } = THRESHOLDS;

test("a busy server is the limit, also when the generator is as busy", () => {
  assert.equal(boundOf(s, 0.3), "server");
  assert.equal(boundOf(1.02, 1), "server");
  assert.equal(boundOf(s, null), "server");
});

test("a busy generator before an idle server is the limit, and neither is neither", () => {
  assert.equal(boundOf(s - 0.01, g), "generator");
  assert.equal(boundOf(s - 0.01, g - 0.01), "neither");
});

test("what cannot be read is unknown, never fine", () => {
  assert.equal(boundOf(null, 0.1), "unknown");
  assert.equal(boundOf(null, 1), "unknown");
  assert.equal(boundOf(0.5, null), "unknown");
});
