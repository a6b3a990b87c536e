import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { ServerSpec } from "../../suites/suite.ts";
import { nullServer } from "./wrk.ts";

test("the server that does nothing is the load generator's own program with a script that is there", () => {
  const spec = nullServer("/opt/wrk") as Extract<ServerSpec, { kind: "command" }>;
  assert.equal(spec.kind, "command");
  assert.equal(spec.command[0], "/opt/wrk");
  assert.ok(existsSync(spec.command[spec.command.indexOf("-s") + 1]!));
  assert.equal(spec.command.at(-1), "http://{host}:{port}");
});
