import assert from "node:assert/strict";
import { test } from "node:test";
import { runtimeNotServed, servedText } from "./served-text.ts";
import type { Served } from "./server-schema.ts";

const node: Served = { name: "node", version: "20.19.2", sha256: null, from: "path", pinned: "26.10.0" };
const server: Served = { name: "server", version: null, sha256: null, from: "elsewhere" };

test("what served is said with its version, where it is from and what it is not", () => {
  assert.equal(servedText([node]), "node 20.19.2 (from PATH), not the pinned 26.10.0");
  assert.equal(servedText([server, { ...node, from: "elsewhere" }]), "server and node 20.19.2, not the pinned 26.10.0");
});

test("a cell named after a runtime that did not serve it is found, any other is not", () => {
  assert.equal(runtimeNotServed(["bun", 50], [node]), "bun");
  assert.equal(runtimeNotServed(["deno@2.1.0"], [node]), "deno");
  assert.equal(runtimeNotServed(["node", 50], [node]), undefined);
  assert.equal(runtimeNotServed(["nodeless", "mine"], [node]), undefined);
  assert.equal(runtimeNotServed(["bun"], []), undefined, "nothing is known");
});
