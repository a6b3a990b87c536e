import assert from "node:assert/strict";
import { test } from "node:test";
import { present, unlessEmpty } from "./present.ts";

test("fields that are undefined or null are left out, in order, and nothing else is", () => {
  const fields = { b: 0, a: undefined as string | undefined, d: null as string | null, c: "", e: false, f: NaN };
  assert.equal(JSON.stringify(present(fields)), '{"b":0,"c":"","e":false,"f":null}');
  assert.deepEqual([unlessEmpty(""), unlessEmpty([]), unlessEmpty({})], [undefined, undefined, undefined]);
  assert.deepEqual([unlessEmpty(" "), unlessEmpty([0]), unlessEmpty({ a: null })], [" ", [0], { a: null }]);
});
