import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { folderTest } from "../testing.ts";
import { treeOf } from "./process-tree.ts";
import { resultOf, runStep } from "./run-step.ts";

const started = (program: string, ...args: string[]) => ({
  ...{ name: "a step", runner: null, expectedMs: 0 },
  command: { program, args, env: {} },
});
const shell = (text: string) => started("bash", "-c", text);

folderTest("a step that stands still is ended, with whatever it started", async (folder) => {
  const step = shell(`trap "" INT; setsid sleep 1000 & echo $! >"$TMPDIR/pid"; wait`);
  const result = await runStep(step, join(folder, "step"), { lookMs: 5, lastWordsMs: 50 });
  assert.deepEqual([result.passed, result.failed, result.failures], [0, 1, ["a step"]]);
  assert.match(result.remark, /^stopped: it printed nothing and did nothing/);
  const pid = Number(readFileSync(join(folder, "step", "pid"), "utf8"));
  while (treeOf(pid).length > 0) await sleep(10);
});

folderTest("a step may take longer than looks last, as long as it prints", async (folder) => {
  const step = shell("for n in $(seq 100); do sleep 0.02; echo $n; done");
  const result = await runStep(step, join(folder, "step"), { lookMs: 20, lastWordsMs: 50 });
  assert.deepEqual([result.passed, result.failed, result.remark], [1, 0, ""]);
});

folderTest("a program that is not there has failed", async (folder) => {
  const step = started(join(folder, "no-such-program"));
  const result = await runStep(step, join(folder, "step"));
  assert.equal(result.failed, 1);
  assert.match(result.remark, /ENOENT/);
});

test("a runner that crashed, or ran nothing, has failed whatever it counted", () => {
  const step = { name: "a step", runner: "node" } as const;
  const of = (code: number | null, log: string) => {
    const { passed, failed, skipped, remark } = resultOf(step, { code, stopped: null }, log);
    return [passed, failed, skipped, remark];
  };
  assert.deepEqual(of(0, "ℹ pass 3\nℹ fail 0\nℹ skipped 1\n"), [3, 0, 1, ""]);
  assert.deepEqual(of(0, "ℹ pass 0\nℹ fail 0\nℹ skipped 0\n"), [0, 1, 0, "no test ran"]);
  assert.deepEqual(of(0, "ℹ pass 0\nℹ fail 0\nℹ skipped 2\n"), [0, 0, 2, ""]);
  assert.deepEqual(of(null, "✔ a test (1ms)\n"), [0, 1, 0, "no test ran"]);
  assert.deepEqual(of(134, "ℹ pass 3\n"), [3, 1, 0, "the runner ended with exit 134"]);
  assert.deepEqual(of(1, "ℹ pass 3\nℹ fail 2\n"), [3, 2, 0, ""]);
});
