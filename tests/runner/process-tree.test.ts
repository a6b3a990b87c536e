import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMsOf, endTree, fromPs, treeOf } from "./process-tree.ts";

test("a process has all below it, in whatever order they are listed", () => {
  const all = [[5, 4], [4, 1], [9, 7], [6, 4], [8, 5]].map(([pid, parent]) => ({
    pid: pid!,
    parent: parent!,
    cpuMs: 1,
  }));
  assert.deepEqual(treeOf(4, all).map(({ pid }) => pid).sort(), [4, 5, 6, 8]);
  assert.deepEqual(treeOf(99, all), []);
});

test("what ps prints of CPU time is read in each of its forms", () => {
  const cpuMs = (line: string) => fromPs(line).map((found) => found.cpuMs);
  assert.deepEqual(fromPs("  12     1   0:01.50"), [{ pid: 12, parent: 1, cpuMs: 1_500 }]);
  assert.deepEqual(cpuMs("12 1 00:02:03"), [123_000]);
  assert.deepEqual(cpuMs("12 1 1-00:00:01"), [86_401_000]);
  assert.deepEqual(cpuMs("PID PPID TIME"), []);
});

test("CPU time of a child is seen while it works, and a tree can be ended", async () => {
  const child = spawn("sh", ["-c", "sh -c 'while :; do :; done' & wait"], { stdio: "ignore" });
  while (cpuMsOf(child.pid!) < 100) await sleep(20);
  const ended = once(child, "exit");
  endTree(child.pid!);
  await ended;
  assert.deepEqual(treeOf(child.pid!).filter(({ pid }) => pid !== child.pid), []);
});
