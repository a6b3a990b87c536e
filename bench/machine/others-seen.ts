import { ask } from "./ask.ts";
import { busyBetween, type BusyProcess, darwinProcesses, linuxProcesses } from "./processes.ts";
import { fileTree } from "./linux/file-tree.ts";

/**
 * Looks at all processes of this machine, and says later which of others used a CPU since, the busiest first. What the
 * driver started and has ended meanwhile is not among them; nor is anybody where processes cannot be seen.
 */
export function lookAtOthers(): () => BusyProcess[] {
  const list = () => process.platform === "linux" ? linuxProcesses(fileTree("/")) : darwinProcesses(ask);
  const before = list(), startedMs = performance.now();
  return () => {
    const after = list();
    return "unreadable" in before || "unreadable" in after
      ? []
      : busyBetween(before.value, after.value, performance.now() - startedMs, new Set([process.pid]));
  };
}
