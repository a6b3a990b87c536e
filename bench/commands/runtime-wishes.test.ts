import assert from "node:assert/strict";
import { test } from "node:test";
import { readArgs } from "../args/read-args.ts";
import { nodeParser } from "../args/parser.ts";
import { BenchError, EXIT } from "../core/errors.ts";
import { memberName } from "../report/verdict-lines.ts";
import { parseRuntimeWish, runtimeWishesFrom } from "./plan-from-args.ts";

const wishes = (text: string) => runtimeWishesFrom(readArgs(nodeParser.parse(["run", "--runtime", text])));

test("a runtime is the pinned one, an exact version or a file, and its kind stays known", () => {
  assert.deepEqual(parseRuntimeWish("node"), { name: "node", source: { kind: "pinned" } });
  assert.deepEqual(parseRuntimeWish("node@v24.21.0"), {
    name: "node",
    source: { kind: "version", version: "24.21.0" },
  });
  assert.deepEqual(parseRuntimeWish("bun=/opt/a=b@c/bun"), {
    name: "bun",
    source: { kind: "file", file: "/opt/a=b@c/bun" },
  });
});

test("wishes come in the order of tables, the pinned one first, each once", () => {
  const names = wishes("bun,node=/opt/node,node,deno@2.9.0,node").map(({ name, source }) => `${name} ${source.kind}`);
  assert.deepEqual(names, ["node pinned", "node file", "deno version", "bun pinned"]);
});

test("what names no runtime is a usage error in one line", () => {
  for (const text of ["nod", "node@24", "node@", "node=", "@1.2.3", "node@../../x", ","]) {
    assert.throws(() => wishes(text), (error) => error instanceof BenchError && error.exit === EXIT.usage, text);
  }
});

test("a runtime's version is not taken for a subject's label", () => {
  const name = (subject: string) => memberName({ purpose: "runtimes" }, subject);
  assert.equal(name("users/read/node@24.21.0/map/10k"), "node@24.21.0");
  assert.equal(name("users/read/node@24.21.0/map/10k@aa"), "node@24.21.0@aa");
});
