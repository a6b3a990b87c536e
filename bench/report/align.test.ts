import assert from "node:assert/strict";
import { test } from "node:test";
import { aligned, cutToWidth, widthOf } from "./align.ts";

test("columns stand under each other whatever the width of their characters, and lines keep to themselves", () => {
  assert.deepEqual(aligned([["name", "n"], ["雪", "10"], ["e\u0301\tx", "7"]], (column) => column === 0), [
    "name   n",
    "雪    10",
    "e\u0301 x    7",
  ]);
});

test("a text is cut to the columns there are", () => {
  assert.equal(cutToWidth("abcdef", 6), "abcdef");
  assert.equal(cutToWidth("abcdef", 4), "abc…");
  assert.equal(cutToWidth("雪雪雪", 4), "雪…");
  assert.equal(cutToWidth("👩‍👩‍👧👩‍👩‍👧", 3), "👩‍👩‍👧…", "a sign of several characters is whole, or left out");
  for (let columns = 0; columns < 8; columns++) {
    assert.ok(widthOf(cutToWidth("a雪b雪", columns)) <= columns, String(columns));
  }
});
