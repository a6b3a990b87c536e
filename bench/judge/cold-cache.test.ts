import assert from "node:assert/strict";
import { test } from "node:test";
import type { DrawnValues } from "../record/observation-record.ts";
import { coldCacheMark } from "./cold-cache.ts";

const drawn = (repeated: number, more: Partial<DrawnValues> = {}) => ({
  drawn: [{ name: "id", values: 200_000, draws: 11_873, repeated, ...more }],
});

test("a cell that requested most values for the first time says which state of a cache was measured", () => {
  const found = coldCacheMark([drawn(0.05), drawn(0.07), drawn(0.06)]);
  assert.deepEqual(found, {
    code: "cold-cache",
    effect: "note",
    text:
      "most values of {id}, 200 000 in all, were requested at most once (11 873 draws): a cache by them was cold, " +
      "as 6 % of the window's requests repeated a value",
  });
});

test("values that were nearly all requested before, and requests without draws, have no mark", () => {
  assert.equal(coldCacheMark([drawn(0.95), drawn(0.93)]), null);
  assert.equal(coldCacheMark([{}, {}]), null);
  assert.equal(coldCacheMark([]), null);
});

test("of several draws the one that repeats least is named", () => {
  const both = { drawn: [...drawn(0.9).drawn, ...drawn(0.3, { name: "page" }).drawn] };
  assert.match(coldCacheMark([both, both])!.text, /values of .page., .* 30 % of the window/);
});
