import type { BusyProcess, Reading } from "../record/samples.ts";
import { attempt, type FileTree, fileTree } from "./readings.ts";
import { parsePsTime } from "./darwin.ts";
import { parseStatTimes } from "./linux/proc-text.ts";
import { type OutputOf, outputOf } from "./programs.ts";

/** CPU time of every process that can be seen, by id. */
type ProcessTimes = ReadonlyMap<number, { readonly name: string; readonly cpuNs: number }>;

/** All processes of Linux. Those that end while being read are left out. */
export function linuxProcesses(files: FileTree): Reading<ProcessTimes> {
  return attempt("/proc", () => {
    const times = new Map<number, { name: string; cpuNs: number }>();
    for (const entry of files.list("proc")) {
      if (!/^\d+$/.test(entry)) continue;
      const stat = files.lineOr(`proc/${entry}/stat`);
      const cpuNs = parseStatTimes(stat);
      if (cpuNs === undefined) continue;
      times.set(Number(entry), { name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")), cpuNs });
    }
    return times.size === 0 ? undefined : times;
  });
}

/** All processes of macOS, from `ps`. */
export function darwinProcesses(ask: OutputOf): Reading<ProcessTimes> {
  return attempt("ps", () => {
    const times = new Map<number, { name: string; cpuNs: number }>();
    for (const line of ask("ps", ["-A", "-o", "pid=,time=,comm="]).split("\n")) {
      const match = /^\s*(\d+)\s+(\S+)\s+(.+)$/.exec(line);
      const seconds = match === null ? undefined : parsePsTime(match[2]!);
      if (seconds === undefined) continue;
      times.set(Number(match![1]), { name: match![3]!.trim().split("/").at(-1)!, cpuNs: seconds * 1e9 });
    }
    return times.size === 0 ? undefined : times;
  });
}

/** Returns processes that used a CPU between two listings, the busiest first, without those in `ours`. */
export function busyBetween(
  before: ProcessTimes,
  after: ProcessTimes,
  elapsedMs: number,
  ours: ReadonlySet<number>,
): BusyProcess[] {
  const busy: BusyProcess[] = [];
  for (const [pid, { name, cpuNs }] of after) {
    // A process that began in between spent all its time in between.
    const share = (cpuNs - (before.get(pid)?.cpuNs ?? 0)) / (elapsedMs * 1e6);
    if (share > 0 && !ours.has(pid)) busy.push({ pid, name, share });
  }
  return busy.sort((a, b) => b.share - a.share);
}

/**
 * Reads all processes, and returns a function that names other processes which used a CPU since, the busiest first.
 * Children of the driver that have ended are not among them; the list is empty if processes cannot be seen.
 */
export function lookAtOthers(): () => BusyProcess[] {
  const list = () => process.platform === "linux" ? linuxProcesses(fileTree("/")) : darwinProcesses(outputOf);
  const before = list(), startedMs = performance.now();
  return () => {
    const after = list();
    return "unreadable" in before || "unreadable" in after
      ? []
      : busyBetween(before.value, after.value, performance.now() - startedMs, new Set([process.pid]));
  };
}
