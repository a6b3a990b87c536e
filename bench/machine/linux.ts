import { join } from "node:path";
import { parseCpuList } from "../basics/cpu-list.ts";
import type { Cpu, Topology } from "../plan/placement.ts";
import { findProgram } from "./programs.ts";
import { parseStatusField } from "./linux/proc-text.ts";
import { processTree } from "./linux/process-tree.ts";
import { readCounts, readCpus } from "./linux/system-samples.ts";
import { threadTimes } from "./linux/thread-times.ts";
import type { Machine } from "./machine.ts";
import { attempt, type FileTree, fileTree } from "./readings.ts";

/**
 * Linux, read from /proc and /sys.
 * @param root put before every path, so that made-up trees can be read
 */
export function linuxMachine(root = "/"): Machine {
  const tree = fileTree(root), proc = fileTree(join(root, "proc"));
  const threads = threadTimes(proc);
  const processes = processTree(proc);
  return {
    os: "linux",
    topology: () => readTopology(tree),
    sampleProcess: (pid, switches = false) => processes.sample(pid, switches),
    serverUse: processes.use,
    sampleCpus: (links = false) => readCpus(tree, threads, links),
    sampleCounts: () => readCounts(tree),
    threadCpus: processes.threadCpus,
    freeMemoryShare: () =>
      attempt("/proc/meminfo", () => {
        const meminfo = proc.text("meminfo");
        const kib = (name: string) => Number(/^(\d+) kB$/.exec(parseStatusField(meminfo, name) ?? "")?.[1] ?? NaN);
        const share = kib("MemAvailable") / kib("MemTotal");
        return Number.isFinite(share) ? share : undefined;
      }),
    peakRssBytes: processes.peakRssBytes,
  };
}

/** The CPUs this process may use, and how they share cores and memory; null where they cannot be chosen, with why. */
function readTopology({ text, list }: FileTree): Topology {
  if (findProgram("taskset") === undefined) return { cpus: null, why: "taskset is not installed" };
  const allowed = attempt(
    "Cpus_allowed_list",
    () => parseCpuList(parseStatusField(text("proc/self/status"), "Cpus_allowed_list") ?? ""),
  );
  if ("unreadable" in allowed) return { cpus: null, why: allowed.unreadable };
  const cpus = allowed.value.map((id): Cpu => {
    const folder = `sys/devices/system/cpu/cpu${id}`;
    // Without topology files each CPU counts as a core.
    const siblings = attempt("siblings", () => parseCpuList(text(folder, "topology/thread_siblings_list")));
    const node = attempt("node", () => {
      const name = list(folder).find((entry) => /^node\d+$/.test(entry));
      return name === undefined ? 0 : Number(name.slice(4));
    });
    return {
      id,
      core: "value" in siblings ? siblings.value[0]! : id,
      node: "value" in node ? node.value : 0,
    };
  });
  return { cpus, why: "" };
}
