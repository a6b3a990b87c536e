import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError, EXIT } from "../basics/errors.ts";
import { parseRuntimeSpec, runtimeSpecs } from "./runtime-specs.ts";

test("a runtime is the pinned one, an exact version or a file, and its kind stays known", () => {
  assert.deepEqual(parseRuntimeSpec("node"), { name: "node", source: { kind: "pinned" } });
  assert.deepEqual(parseRuntimeSpec("node@v24.21.0"), {
    name: "node",
    source: { kind: "version", version: "24.21.0" },
  });
  assert.deepEqual(parseRuntimeSpec("bun=/opt/a=b@c/bun"), {
    name: "bun",
    source: { kind: "file", file: "/opt/a=b@c/bun" },
  });
});

test("a range, a part of a version and a tag are kept as they were asked, until npm says what they are", () => {
  for (const text of ["24", "1.2", "1.2..1.4", "lts", "canary"]) {
    assert.deepEqual(parseRuntimeSpec(`node@${text}`), { name: "node", source: { kind: "range", text } });
  }
});

test("runtimes come in the order of tables, the pinned one first, each once, with the word they were asked by", () => {
  const asked = runtimeSpecs(["bun", "node=/opt/node", "node", "deno@2.9.0", "node"]);
  assert.deepEqual(asked.map(({ word }) => word), ["node", "node=/opt/node", "deno@2.9.0", "bun"]);
  assert.deepEqual(asked.map(({ spec }) => spec.source.kind), ["pinned", "file", "version", "pinned"]);
});

test("what names no runtime is a usage error in one line", () => {
  for (const text of ["nod", "node@1.2.3.4", "node@1..", "node@", "node=", "@1.2.3", "node@../../x", ""]) {
    assert.throws(
      () => runtimeSpecs([text]),
      (error) => error instanceof BenchError && error.exit === EXIT.usage,
      text,
    );
  }
});
