import assert from "node:assert/strict";
import { test } from "node:test";
import { closingLines } from "./closing-lines.ts";
import { rerunOf } from "./rerun.ts";

test("the last lines name failures with their command, the five costliest tests, both times and the sum", () => {
  const named = (name: string, ms: number, outcome: "passed" | "failed" = "passed") => ({
    ...{ file: "a.test.ts", name, ms, outcome },
  });
  const failed = named("it's wrong", 5, "failed");
  const text = closingLines([
    {
      ...{ passed: 6, failed: 1, skipped: 0, runner: "bun", failures: [rerunOf(failed, "bun")] },
      tests: [...[1, 2, 3, 4, 5, 6].map((n) => named(`test ${n}`, 1_000 * n)), failed],
    },
    { passed: 1, failed: 0, skipped: 2, runner: null, failures: [], tests: [] },
  ], { wallMs: 61_200, cpuMs: 119_400 });
  assert.deepEqual(text.split("\n"), [
    "✗ it's wrong",
    `    bin/test a.test.ts --name "it's wrong" --on bun`,
    ...[6, 5, 4, 3, 2].map((n) => `   ${n}.0 s  a.test.ts on bun: test ${n}`),
    "It took 1 min 1 s and 1 min 59 s of CPU time; above, the tests that took most.",
    "7 passed, 1 failed, 2 skipped",
    "",
  ]);
});
