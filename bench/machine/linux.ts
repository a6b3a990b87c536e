import { join } from "node:path";
import { attempt } from "./attempt.ts";
import { fileTree } from "./linux/file-tree.ts";
import { parseStatusField } from "./linux/proc-text.ts";
import { processTree } from "./linux/process-tree.ts";
import { readCounts, readCpus } from "./linux/system-samples.ts";
import { threadTimes } from "./linux/thread-times.ts";
import { readTopology } from "./linux/topology.ts";
import type { Machine } from "./machine.ts";

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
