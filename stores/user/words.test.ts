import assert from "node:assert/strict";
import { test } from "node:test";
import { failureInWords } from "./words.ts";

test("a failed check says in one line what was expected and what came", () => {
  const user = { id: "0", name: "x".repeat(500), age: 1 };
  const cases: [compare: () => void, words: RegExp][] = [
    [() => assert.deepEqual({ ...user, age: "1" }, user), /^age is "1", expected 1$/],
    [() => assert.deepEqual({ ...user, more: 1 }, user), /^more is 1, expected undefined$/],
    [() => assert.deepEqual({ ...user, name: "y" }, user), /^name is "y", expected "x{89}…$/],
    [() => assert.deepEqual({}, user), /^it found nobody, expected a user$/],
    [() => assert.equal(null, undefined), /^it found null, expected undefined$/],
    [() => assert.equal("a\nb", "c"), /^it answered "a\\nb", expected "c"$/],
    [() => assert.ok(false, "0 bytes on disk"), /^0 bytes on disk$/],
    [() => assert.fail("gone after a kill"), /^gone after a kill$/],
  ];
  for (const [compare, words] of cases) {
    try {
      compare();
    } catch (error) {
      assert.match(failureInWords(error), words);
      continue;
    }
    assert.fail(`nothing was thrown where ${words} is due`);
  }
  assert.equal(failureInWords(new TypeError("first\nsecond")), "first");
  assert.equal(failureInWords("a text"), "a text");
  assert.equal(failureInWords(new Error("")), "Error");
});
