import assert from "node:assert/strict";
import { test } from "node:test";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { cardFile, cellKey, cellName, MAIN, placeText, pointKey, textOf } from "./cell.ts";
import type { Cell } from "./cell-schema.ts";

const ODD = ["a/b", "a", "b/c", "c", "%2F", "", "x y", "ä,ö", '"<script>', "node@1", "..", "a\\b"];

const cellAt = (at: Cell["point"]["at"], label = MAIN): Cell => ({ point: { suite: "odd", at }, label });

test("a point's key is equal for equal points in whatever order, and for no others", () => {
  assert.equal(pointKey({ suite: "s", at: { a: 1, b: "x" } }), pointKey({ suite: "s", at: { b: "x", a: 1 } }));
  const others = [{ a: "1", b: "x" }, { a: 1, b: "y" }, { a: 1 }, { a: 1, b: "x", c: 0 }];
  const keys = others.map((at) => pointKey({ suite: "s", at: at as never }));
  assert.equal(new Set([pointKey({ suite: "s", at: { a: 1, b: "x" } }), ...keys]).size, 5);
});

test("names and file names of odd values differ, and no file leaves its folder", () => {
  const axes = [planAxis("one / 1", ODD), planAxis("two", ODD)];
  const cells = ODD.flatMap((one) =>
    ODD.flatMap((two) => ["main", "aa"].map((label) => cellAt({ "one / 1": one, two }, label)))
  );
  assert.equal(new Set(cells.map((cell) => cellName(axes, cell))).size, cells.length);
  const files = cells.map((cell) => cardFile(axes, cell));
  assert.equal(new Set(files).size, cells.length);
  for (const file of files) assert.match(file, /^cells\/odd\/[^/\\<>"|?*\s]+\.json$/);
});

test("a name shows the values of shown axes alone, with the texts the plan has for them, and the label", () => {
  const axes = [
    planAxis("engine", ["steam"]),
    planAxis("load", [1_000], { unit: "kg", values: [{ value: 1_000, text: "1k", facts: {} }] }),
    planAxis("oil", [5], { shown: false }),
  ];
  const cell = cellAt({ engine: "steam", load: 1_000, oil: 5 });
  assert.equal(cellName(axes, cell), "steam/1k");
  assert.equal(cellName(axes, { ...cell, label: "aa" }), "steam/1k@aa");
  assert.equal(placeText(axes, { engine: "steam", load: 1_000 }), "steam, 1k kg");
  const one = [planAxis("wheels", [1, 2], { unit: "wheels" }), planAxis("wait", [1], { unit: "ms" })];
  assert.equal(placeText(one, { wheels: 1, wait: 1 }), "1 wheel, 1 ms");
  assert.equal(placeText(one, { wheels: 2 }), "2 wheels");
  assert.equal(textOf(axes[1]!, { load: 77 }), "77");
  assert.notEqual(cellKey(cell), cellKey({ ...cell, label: "aa" }));
});

test("a very long name is cut, and still tells two cells apart", () => {
  const long = ["x".repeat(400), `${"x".repeat(399)}y`];
  const files = long.map((value) => cardFile([planAxis("a", long)], cellAt({ a: value })));
  assert.ok(files.every((file) => file.length < 220));
  assert.notEqual(files[0], files[1]);
});
