import assert from "node:assert/strict";
import { test } from "node:test";
import { planWith } from "../../tests/fixtures/made-up-card.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { conditionText, contrastText, fixedText, gridOf, isLogarithmic, layoutOf } from "./layout.ts";

const runtime = planAxis("runtime", ["node", "deno", "bun"]);
const store = planAxis("store", ["map", "tree"]);
const size = planAxis("size", [10, 100], { role: "scale", unit: "rows" });
const mode = planAxis("mode", ["read", "write"], { role: "condition" });
const hidden = planAxis("hidden", [1], { role: "condition", shown: false });
const names = (...axes: (typeof runtime)[]) => {
  const { columns, rows, colour, facet, scale } = layoutOf(planWith(axes));
  return { rows: rows.map(({ name }) => name), parts: [columns, colour, facet, scale].map((axis) => axis?.name) };
};

test("the scale stands across, else the contrast with the fewest values; conditions are outermost", () => {
  assert.deepEqual(names(mode, runtime, store, size, hidden), {
    rows: ["mode", "store", "runtime"],
    parts: ["size", "runtime", "store", "size"],
  });
  assert.deepEqual(names(runtime, store, hidden), {
    rows: ["runtime"],
    parts: ["store", "runtime", "store", undefined],
  });
  assert.deepEqual(names(runtime, size).parts, ["size", "runtime", undefined, "size"]);
});

test("an axis of one value is drawn neither across nor as a condition's row, but a contrast is named", () => {
  const one = planAxis("size", [10], { role: "scale" });
  assert.deepEqual(names(planAxis("store", ["map"]), one), {
    rows: ["store"],
    parts: [undefined, "store", undefined, undefined],
  });
});

test("a grid has a row for each combination and label, holes where nothing was measured", () => {
  const layout = layoutOf(planWith([runtime, size]));
  const thing = (name: string, rows: number, label = "main") => ({
    cell: { point: { suite: "s", at: { runtime: name, size: rows } }, label },
    id: `${name}${rows}${label}`,
  });
  const grid = gridOf(layout, [thing("bun", 100), thing("node", 10), thing("node", 100, "b"), thing("other", 1_000)]);
  assert.deepEqual(grid.heads, ["runtime"]);
  assert.deepEqual(grid.columns, ["10 rows", "100 rows", "1000 rows"]);
  assert.deepEqual(grid.rows.map(({ texts, cells }) => [...texts, ...cells.map((one) => one?.id)]), [
    ["node", "node10main", undefined, undefined],
    ["node@b", undefined, "node100b", undefined],
    ["bun", undefined, "bun100main", undefined],
    ["other", undefined, undefined, "other1000main"],
  ]);
});

test("values that span a factor of ten are drawn logarithmically, words and zero never", () => {
  assert.deepEqual([[1, 10], [1, 9], [0, 10], ["a", 10], []].map(isLogarithmic), [true, false, false, false, false]);
});

test("what has one value beside something that is compared is a condition, not part of every name", () => {
  const layout = layoutOf(planWith([runtime, planAxis("engine", ["native"]), size]));
  const cell = { point: { suite: "mills", at: { runtime: "bun", engine: "native", size: 10 } }, label: "main" };
  assert.equal(contrastText(layout, cell), "bun");
  assert.equal(conditionText(layout, cell), "native, 10 rows");
  assert.equal(fixedText(layout, cell), "native");
  const bare = layoutOf(planWith([planAxis("engine", ["native"])]));
  assert.deepEqual([contrastText(bare, cell), conditionText(bare, cell)], ["native", "mills"]);
});
