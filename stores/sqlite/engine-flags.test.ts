import assert from "node:assert/strict";
import { test } from "node:test";
import { engineRuntimeArgs } from "./engine-flags.ts";

test("only engine library on a Node that may need it gets a flag", () => {
  const flags = ["--experimental-ffi", "--disable-warning=ExperimentalWarning"];
  for (const runtime of ["node", "node@26.1.0", "node@26.10.0", "node@27.0.0"]) {
    assert.deepEqual(engineRuntimeArgs("library", runtime), flags, runtime);
  }
  for (
    const runtime of ["node@24.21.0", "node@26.0.0", "node=/usr/bin/node", "deno", "deno@2.9.5", "bun", "bun=/bun"]
  ) {
    assert.deepEqual(engineRuntimeArgs("library", runtime), [], runtime);
  }
  for (const engine of ["native", "node"] as const) assert.deepEqual(engineRuntimeArgs(engine, "node"), []);
});
