import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectTools, judgeTool } from "./inspect-tools.ts";

test("each program is inspected once and judged, whether it is here or not", async () => {
  const tools = await inspectTools();
  const names = tools.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  assert.ok(["node", "deno", "bun", "wrk", "h2load"].every((name) => names.includes(name)));
  assert.deepEqual(tools.map((tool) => judgeTool(tool).code), names);
});
