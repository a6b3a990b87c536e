/** A process and all below it: what CPU time they used, and their end. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseEndedChildrenTimes, parseStatTimes } from "../../bench/machine/linux/proc-text.ts";

/** One process. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Its own, and of children that have ended. */
  readonly cpuMs: number;
}

/** What `/proc/<pid>/stat` tells. */
function fromStat(pid: number): Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const parent = Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
    return [{ pid, parent, cpuMs: ((parseStatTimes(text) ?? 0) + (parseEndedChildrenTimes(text) ?? 0)) / 1e6 }];
  } catch {
    // It ended meanwhile.
    return [];
  }
}

/** What a line of `ps -A -o pid=,ppid=,time=` tells; its time is `[[days-]hours:]minutes:seconds`. */
export function fromPs(line: string): Process[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(?:(\d+)-)?(?:(\d+):)?(\d+):([\d.]+)\s*$/.exec(line);
  if (match === null) return [];
  const [pid, parent, days = 0, hours = 0, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return [{ pid: pid!, parent: parent!, cpuMs: (((days * 24 + hours) * 60 + minutes!) * 60 + seconds!) * 1_000 }];
}

function allProcesses(): Process[] {
  if (existsSync("/proc/self/stat")) {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => fromStat(Number(name)));
  }
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,time="], { encoding: "utf8" }).split("\n").flatMap(fromPs);
}

/** A process and all below it. */
export function treeOf(root: number, all: readonly Process[] = allProcesses()): Process[] {
  const below = Map.groupBy(all, ({ parent }) => parent);
  const tree = all.filter(({ pid }) => pid === root);
  // The list grows while it is walked.
  for (const { pid } of tree) tree.push(...below.get(pid) ?? []);
  return tree;
}

/** CPU time that a process and all below it have used. */
export const cpuMsOf = (root: number): number => treeOf(root).reduce((sum, { cpuMs }) => sum + cpuMs, 0);

/** Ends a process and all below it at once. */
export function endTree(root: number): void {
  for (const { pid } of treeOf(root)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}
