import assert from "node:assert/strict";
import { test } from "node:test";
import type { Summary } from "../record/summary.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { memberName } from "./verdict-lines.ts";

const axes = [planAxis("runtime", ["node@24", "node"]), planAxis("kept", ["a/b"])];
const cell = (runtime: string, label: string) => ({ point: { suite: "s", at: { runtime, kept: "a/b" } }, label });
const summary = {
  cells: [
    { name: "one", cell: cell("node@24", "main") },
    { name: "two", cell: cell("node@24", "after") },
  ].map((entry): Summary["cells"][number] => ({ ...entry, marks: [], steadiness: "flat", cv: null })),
};

test("a member is named by what it does not share, looked up and never read out of its name", () => {
  const named = (kind: "axis" | "label" | "pair", axis: string | null) =>
    ["one", "two"].map((name) => memberName(axes, summary, { kind, axis }, name));
  assert.deepEqual(named("axis", "runtime"), ["node@24", "node@24@after"]);
  assert.deepEqual(named("axis", "kept"), ["a/b", "a/b@after"]);
  assert.deepEqual(named("label", null), ["main", "after"]);
  assert.deepEqual(named("pair", null), ["one", "two"]);
});
