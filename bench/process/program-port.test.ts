import assert from "node:assert/strict";
import { test } from "node:test";
import { programPortFinder } from "./program-port.ts";

test("a program is asked at the port in PORT where it listens there, or where nobody can see it", () => {
  assert.deepEqual(programPortFinder(3000)([9229, 3000], 0), { port: 3000 });
  assert.deepEqual(programPortFinder(3000)([], 0), { port: 3000 });
});

test("another port counts once it has stayed the only one, and two say nothing", () => {
  const find = programPortFinder(3000);
  assert.deepEqual(find([9229], 10_000), { port: null }, "what listens besides may come first");
  assert.deepEqual(find([9229], 11_000), { port: null });
  assert.deepEqual(find([8080, 9229], 13_000), { port: null }, "another comes, and counts anew");
  const two = find([8080, 9229], 15_000);
  assert.ok("why" in two);
  assert.equal(two.why, "it listens on ports 8080, 9229, and on 3000 of PORT it does not: say which with --port");
  assert.deepEqual(find([8080], 15_000), { port: null });
  assert.deepEqual(find([8080], 17_000), { port: 8080 });
  assert.deepEqual(find([8080, 3000], 17_000), { port: 3000 });
});
