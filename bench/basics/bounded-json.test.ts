import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBoundedJson } from "./bounded-json.ts";

test("JSON of more values than any file of a run has is refused before it is parsed; what stands in texts is none", () => {
  const many = 1_000_001;
  for (const text of ["[".repeat(many), `[${"0,".repeat(many)}0]`, `[${"{},".repeat(many / 2)}0]`]) {
    assert.throws(() => parseBoundedJson(text), /it has more than 1000000 values/);
  }
  const inText = JSON.stringify({ a: `\\"${"[,{".repeat(many)}\\\\` });
  assert.deepEqual(parseBoundedJson(inText), JSON.parse(inText));
  assert.throws(() => parseBoundedJson('{"a":"\\'), SyntaxError);
  assert.deepEqual(parseBoundedJson("[1,[2],{}]"), [1, [2], {}]);
});
