import assert from "node:assert/strict";
import { test } from "node:test";
import { fnv1a, fnv1aOf, hexOf } from "./fnv.ts";

test("texts have the hashes that the authors publish", () => {
  // Test vectors of draft-eastlake-fnv for 32 bits.
  assert.equal(hexOf(fnv1aOf("")), "811c9dc5");
  assert.equal(hexOf(fnv1aOf("a")), "e40c292c");
  assert.equal(hexOf(fnv1aOf("foobar")), "bf9cf968");
  assert.equal(fnv1a([102, 111, 111, 98, 97, 114]), 0xbf9cf968);
});
