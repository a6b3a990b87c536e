import assert from "node:assert/strict";
import { test } from "node:test";
import { fileTree } from "../machine/readings.ts";
import { linuxQuota } from "./linux-quota.ts";
import { withTree } from "../../tests/fixtures/made-up-tree.ts";

const quota = (files: Record<string, string>) => withTree(files, (root) => linuxQuota(fileTree(root)));
const TWO = { "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/cgroup.controllers": "cpu\n" };
const ONE = { "proc/self/cgroup": "4:cpu,cpuacct:/docker/x\n0::/\n", "sys/fs/cgroup/cpu,cpuacct/cpu.shares": "1024\n" };

test("version 2: the least quota on the way up counts", () => {
  assert.equal(quota(TWO), null);
  assert.equal(quota({ ...TWO, "sys/fs/cgroup/a/b/cpu.max": "max 100000\n" }), null);
  assert.equal(
    quota({ ...TWO, "sys/fs/cgroup/a/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/b/cpu.max": "200000 100000\n" }),
    0.5,
  );
});

test("version 2 inside a container: the group's own quota lies at the root", () => {
  const files = { ...TWO, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n" };
  assert.equal(quota(files), 1.5);
  const moved = { ...TWO, "proc/self/cgroup": "0::/../b\n", "sys/fs/cgroup/b/cpu.max": "150000 100000\n" };
  assert.equal(quota(moved), 1.5, "steps upwards do not lead out of the mounted tree");
});

test("version 1: a quota of -1 is none, and a path outside the namespace falls back to the root", () => {
  const folder = "sys/fs/cgroup/cpu,cpuacct";
  const at = (group: string, us: string) => ({
    ...ONE,
    [`${folder}${group}/cpu.cfs_quota_us`]: us,
    [`${folder}${group}/cpu.cfs_period_us`]: "100000\n",
  });
  assert.equal(quota(at("/docker/x", "-1\n")), null);
  assert.equal(quota(at("/docker/x", "250000\n")), 2.5);
  assert.equal(quota(at("", "50000\n")), 0.5);
});

test("without control groups the quota is unreadable, not absent", () => {
  assert.throws(() => quota({ "proc/self/cgroup": "0::/\n" }), /not mounted/);
  assert.throws(() => quota({}), /ENOENT/);
});
