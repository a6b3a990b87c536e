import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { ROOT } from "./folders.ts";
import { countTests, reportedTests, withoutPassed } from "./read-log.ts";
import { testCommand } from "./test-command.ts";

const KINDS = "tests/fixtures/tests-of-all-kinds.ts";
const BROKEN = "tests/fixtures/cannot-be-loaded.ts";

/** What a runtime's runner prints of files of tests, and its exit code. */
function logOf(runtime: RuntimeName, files: readonly string[], name?: string) {
  const { program, args, env } = testCommand(runtime, files, name);
  const { stdout, stderr, status } = spawnSync(program, args, {
    ...{ cwd: ROOT, encoding: "utf8" },
    env: { PATH: process.env["PATH"], NO_COLOR: "1", ...env },
  });
  return { log: stdout + stderr, code: status };
}

for (const runtime of RUNTIME_NAMES) {
  test(`tests that pass, fail and are skipped on ${runtime} are counted, each with its file, its time and a command`, () => {
    const { log, code } = logOf(runtime, [KINDS, BROKEN]);
    assert.equal(code, 1, log);
    // Node alone sees a test that asserts nothing, and Deno none that skips itself. One passes of the runner itself.
    const { passed, failed, skipped } = countTests(runtime, log);
    assert.deepEqual([passed, failed, skipped], { node: [2, 3, 2], deno: [4, 2, 1], bun: [3, 2, 2] }[runtime], log);
    const found = reportedTests(runtime, log);
    const failures = found.filter(({ outcome }) => outcome === "failed");
    assert.deepEqual(failures.map(({ file, name }) => `${file}: ${name}`), [
      `${KINDS}: this one fails`,
      ...(runtime === "node" ? [`${KINDS}: this one asserts nothing`] : []),
      `${BROKEN}: ${BROKEN} can be loaded`,
    ]);
    assert.equal(found.length, passed + failed + skipped, log);
    assert.ok(found.every(({ ms, outcome }) => Number.isFinite(ms) && (ms > 0 || outcome === "skipped")), log);
    assert.doesNotMatch(withoutPassed(log), /this one passes/);
  });

  test(`a name chooses tests on ${runtime} as a text, not as a pattern`, () => {
    const { log } = logOf(runtime, [KINDS, "bench/basics/units.test.ts"], "this one p");
    assert.deepEqual(reportedTests(runtime, log).map(({ name }) => name).filter((name) => /^this/.test(name)), [
      "this one passes",
    ], log);
    assert.equal(logOf(runtime, [KINDS], "this one .").log.includes("this one passes"), false);
  });
}

test("a runner that prints nothing of its numbers has counted nothing", () => {
  assert.deepEqual(countTests("node", "Segmentation fault\n"), { passed: 0, failed: 0, skipped: 0 });
});

test("times are read in each unit that runners print", () => {
  const line = (time: string) => reportedTests("deno", `a ... ok (${time})\n`)[0]!.ms;
  assert.deepEqual(["250µs", "12ms", "3s", "1m2s"].map(line), [0.25, 12, 3_000, 62_000]);
  assert.equal(reportedTests("bun", "(pass) a\n")[0]!.ms, 0);
  const twice = "(fail) a [1ms]\n\n1 tests skipped:\n\n1 tests failed:\n(fail) a [1ms]\n";
  assert.equal(reportedTests("bun", twice).length, 1, "failures are printed twice");
});
