import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson } from "./canonical-json.ts";

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
