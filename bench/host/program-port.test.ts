import assert from "node:assert/strict";
import { test } from "node:test";
import { programPortFinder } from "./program-port.ts";

const MANY = 200;

/** What is found at the last of many looks at the same ports. */
function settled(find: ReturnType<typeof programPortFinder>, ports: readonly number[]) {
  let found = find(ports);
  for (let look = 0; look < MANY; look++) found = find(ports);
  return found;
}

test("a program is asked at the port in PORT where it listens there, or where nobody can see it", () => {
  assert.deepEqual(programPortFinder(3000)([9229, 3000]), { port: 3000 });
  assert.deepEqual(programPortFinder(3000)([]), { port: 3000 });
});

test("another port counts once it has stayed the only one, and two say nothing", () => {
  const find = programPortFinder(3000);
  assert.deepEqual(find([9229]), { port: null }, "what listens besides may come first");
  assert.deepEqual(find([9229, 3000]), { port: 3000 });
  assert.deepEqual(settled(programPortFinder(3000), [8080]), { port: 8080 });
  const two = settled(programPortFinder(3000), [8080, 9229]);
  assert.ok("why" in two);
  assert.equal(two.why, "it listens on ports 8080, 9229, and on 3000 of PORT it does not: say which with --port");
});
