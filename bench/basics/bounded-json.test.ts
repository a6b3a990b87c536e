import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson, parseBoundedJson } from "./bounded-json.ts";

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

test("JSON is the same in any order of keys and with any white space, and only then", () => {
  const one = canonicalJson('{"a":[{"b":1,"c":2}],"d":"x"}');
  assert.equal(canonicalJson('{ "d": "x",\n "a": [{"c":2,"b":1}] }'), one);
  for (const other of ['{"a":[{"b":2,"c":1}],"d":"x"}', '{"a":[{"b":1,"c":2}],"d":"y"}', '{"a":{"0":1},"d":"x"}']) {
    assert.notEqual(canonicalJson(other), one);
  }
  assert.notEqual(canonicalJson('{"id":9007199254740993}'), canonicalJson('{"id":9007199254740992}'));
  assert.notEqual(canonicalJson('["b","a"]'), canonicalJson('["a","b"]'));
  assert.deepEqual([canonicalJson("1"), canonicalJson("text")], [null, null]);
});
