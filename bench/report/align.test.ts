import assert from "node:assert/strict";
import { test } from "node:test";
import { aligned, fitted, widthOf } from "./align.ts";

test("columns stand under each other whatever the width of their characters, and lines keep to themselves", () => {
  assert.deepEqual(aligned([["name", "n"], ["雪", "10"], ["e\u0301\tx", "7"]], (column) => column === 0), [
    "name   n",
    "雪    10",
    "e\u0301 x    7",
  ]);
});

test("a text is cut to the columns there are", () => {
  assert.equal(fitted("abcdef", 6), "abcdef");
  assert.equal(fitted("abcdef", 4), "abc…");
  assert.equal(fitted("雪雪雪", 4), "雪…");
  assert.equal(fitted("👩‍👩‍👧👩‍👩‍👧", 3), "👩‍👩‍👧…", "a sign of several characters is whole, or left out");
  for (let columns = 0; columns < 8; columns++) {
    assert.ok(widthOf(fitted("a雪b雪", columns)) <= columns, String(columns));
  }
});
