import assert from "node:assert/strict";
import { test } from "node:test";
import { EXIT } from "./errors.ts";
import { nearest, unknownName } from "./unknown-name.ts";

test("a name that is nearly right is answered with the right one, any other with all there are", () => {
  assert.equal(nearest("watre", ["steam", "water"]), "water");
  assert.equal(nearest("WATER", ["steam", "water"]), "water");
  assert.equal(nearest("petrol", ["steam", "water"]), undefined);
  assert.equal(nearest("x", []), undefined);
  const error = unknownName("engine", "staem", ["steam", "water"]);
  assert.deepEqual([error.exit, error.message, error.hint], [
    EXIT.usage,
    'unknown engine "staem"',
    'did you mean "steam"?',
  ]);
  assert.match(unknownName("engine", "petrol", ["steam", "water"]).hint!, /known are steam, water/);
});
