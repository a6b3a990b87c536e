import type { FileTree } from "../machine/readings.ts";

const ROOT = "sys/fs/cgroup";

/**
 * CPUs' worth of time that control groups grant this process, the least on the way up; null where none limits it.
 * Version 2 writes `quota period` or `max period` to cpu.max, version 1 keeps two files and -1 for no limit.
 * Throws where groups are not mounted.
 */
export function linuxQuota(files: FileTree): number | null {
  const groups = files.line("proc/self/cgroup");
  const first = /^\d+:(?:[^:]*,)?(cpu(?:,[^:]*)?):(.*)$/m.exec(groups);
  const versionTwo = /^0::(.*)$/m.exec(groups)?.[1];
  if (first !== null) {
    const folder = [first[1]!, "cpu", "cpu,cpuacct", "cpuacct,cpu"].map((name) => `${ROOT}/${name}`)
      .find((path) => files.has(`${path}/cpu.shares`));
    if (folder === undefined) throw new Error("the cpu controller is not mounted");
    return least(up(first[2]!).map((group) => quotaOne(files, folder + group)));
  }
  if (versionTwo === undefined || !files.has(`${ROOT}/cgroup.controllers`)) {
    throw new Error("control groups are not mounted");
  }
  return least(up(versionTwo).map((group) => quotaTwo(files, ROOT + group)));
}

/** A group and all above it: `/a/b`, `/a`, and the root. Inside a namespace the path may not exist: the root does. */
function up(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== "..");
  return Array.from(
    { length: parts.length + 1 },
    (_, above) => parts.slice(0, parts.length - above).map((part) => `/${part}`).join(""),
  );
}

function quotaTwo(files: FileTree, group: string): number | null {
  if (!files.has(`${group}/cpu.max`)) return null;
  const match = /^(\d+) (\d+)$/.exec(files.line(`${group}/cpu.max`));
  return match === null ? null : Number(match[1]) / Number(match[2]);
}

function quotaOne(files: FileTree, group: string): number | null {
  if (!files.has(`${group}/cpu.cfs_quota_us`)) return null;
  const quota = files.count(`${group}/cpu.cfs_quota_us`), period = files.count(`${group}/cpu.cfs_period_us`);
  return quota === undefined || !period ? null : quota / period;
}

function least(quotas: readonly (number | null)[]): number | null {
  const limits = quotas.filter((quota) => quota !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
