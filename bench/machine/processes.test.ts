import assert from "node:assert/strict";
import { test } from "node:test";
import { fileTree } from "./readings.ts";
import { withTree } from "../../tests/fixtures/made-up-tree.ts";
import { busyBetween, darwinProcesses, linuxProcesses } from "./processes.ts";

const stat = (pid: number, name: string, user: number, system: number) =>
  `${pid} (${name}) S 1 1 1 0 -1 4194560 1 0 0 0 ${user} ${system} 0 0 20 0 1 0 5 1 1\n`;

test("Linux lists processes with their times, whatever is in their names", () => {
  const files = { "proc/12/stat": stat(12, "a) (b", 30, 12), "proc/7/stat": "cut off", "proc/uptime": "1 1\n" };
  const listed = withTree(files, (root) => linuxProcesses(fileTree(root)));
  assert.deepEqual(listed, { value: new Map([[12, { name: "a) (b", cpuNs: 420_000_000 }]]) });
});

test("macOS lists processes by ps, with the last part of their paths", () => {
  const printed =
    "    1   2:03.50 /sbin/launchd\n  417 01:10:00.25 /Applications/Web Browser.app/Contents/MacOS/Web Browser\n\n";
  assert.deepEqual(darwinProcesses(() => printed), {
    value: new Map([[1, { name: "launchd", cpuNs: 123.5e9 }], [417, { name: "Web Browser", cpuNs: 4200.25e9 }]]),
  });
  assert.ok("unreadable" in darwinProcesses(() => "ps: illegal option\n"));
});

test("the busy are those whose time grew, newcomers included, largest first, without one's own", () => {
  const at = (times: Record<number, number>) =>
    new Map(Object.entries(times).map(([pid, ms]) => [Number(pid), { name: `p${pid}`, cpuNs: ms * 1e6 }]));
  const busy = busyBetween(
    at({ 1: 100, 2: 50, 3: 0, 9: 0 }),
    at({ 1: 100, 2: 150, 3: 900, 4: 300, 9: 1000 }),
    1000,
    new Set([3]),
  );
  assert.deepEqual(busy, [
    { pid: 9, name: "p9", share: 1 },
    { pid: 4, name: "p4", share: 0.3 },
    { pid: 2, name: "p2", share: 0.1 },
  ]);
});
