import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { countTests, failedTests, withoutPassed } from "./count-tests.ts";
import { ROOT } from "./folders.ts";
import { testCommand } from "./test-command.ts";

/** What a runtime's runner prints of a file of tests, and its exit code. */
function logOf(runtime: RuntimeName, file: string): { readonly log: string; readonly code: number | null } {
  const [program, ...args] = testCommand(runtime, [file]);
  const env = { PATH: process.env["PATH"], NO_COLOR: "1", LEVELFIELD_EXPECT_RUNTIME: runtime };
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8", env });
  return { log: stdout + stderr, code: status };
}

for (const runtime of RUNTIME_NAMES) {
  test(`what ${runtime} says of tests that pass, fail and are skipped is counted`, () => {
    const { log, code } = logOf(runtime, "tests/fixtures/tests-of-all-kinds.ts");
    assert.equal(code, 1, log);
    // With tests of the runner itself. Node alone sees what asserts nothing, and Deno not what skips itself.
    const counted = { node: [3, 2, 2], deno: [4, 1, 1], bun: [3, 1, 2] }[runtime];
    const { passed, failed, skipped } = countTests(runtime, log);
    assert.deepEqual([passed, failed, skipped], counted, log);
    const names = failedTests(log).join("\n");
    assert.match(names, /this one fails/);
    assert.equal(names.includes("asserts nothing"), runtime === "node");
    assert.doesNotMatch(withoutPassed(log), /this one passes/);
  });

  test(`a file that cannot be loaded fails on ${runtime}`, () => {
    const { log, code } = logOf(runtime, "tests/fixtures/cannot-be-loaded.ts");
    assert.equal(code, 1, log);
    assert.ok(countTests(runtime, log).failed > 0, log);
  });
}

test("a runner that says nothing has counted nothing", () => {
  assert.deepEqual(countTests("node", "Segmentation fault\n"), { passed: 0, failed: 0, skipped: 0 });
});
