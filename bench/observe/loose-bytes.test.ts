import assert from "node:assert/strict";
import { test } from "node:test";
import { looseBytes } from "./replies-at-rest.ts";

test("heads may differ by a countdown, an age and cookies, and by nothing else", () => {
  assert.equal(looseBytes({ connection: "keep-alive", "keep-alive": "timeout=5", date: "now", etag: '"1"' }), 0);
  // Two digits, and once in a hundred replies 54 bytes of lines that are missing.
  assert.equal(looseBytes({ connection: "Keep-Alive", "keep-alive": "timeout=5, max=99" }), 3);
  assert.equal(looseBytes({ age: "7" }), 10);
  assert.equal(looseBytes({ "set-cookie": "n=1; Path=/" }), 11);
});
