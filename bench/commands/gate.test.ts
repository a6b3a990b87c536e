import assert from "node:assert/strict";
import { test } from "node:test";
import { confirms } from "./gate.ts";

test("a regression has to be proven twice where CI is set, and where an option says so", () => {
  const given = (...options: readonly string[]) => ({ has: (option: string) => options.includes(option) });
  for (const off of [undefined, "", "0", "false"]) assert.equal(confirms(given(), off), false, `${off}`);
  for (const on of ["true", "1", "woodpecker"]) assert.equal(confirms(given(), on), true, on);
  assert.deepEqual([confirms(given("confirm"), ""), confirms(given("no-confirm"), "1")], [true, false]);
  assert.throws(() => confirms(given("confirm", "no-confirm"), ""), /exclude each other/);
});
