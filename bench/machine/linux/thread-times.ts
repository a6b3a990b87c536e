import { attempt, type FileTree } from "../readings.ts";
import { parseLastCpu, parseSchedstat, parseStatTimes } from "./proc-text.ts";

/** The CPU on which a thread ran last, and its total CPU time in nanoseconds. */
interface ThreadTime {
  readonly cpu: number;
  readonly cpuNs: number;
}

/** Reads the threads of a whole machine, again and again: what has not run since it was read last stands as it was. Paths are below /proc. */
export function threadTimes({ text, list }: FileTree) {
  const seenKernelThreads = new Map<string, ThreadTime>();
  let seenProcesses = new Map<string, { readonly ticks: number; readonly threads: readonly [number, ThreadTime][] }>();

  /** Returns the ids of kernel threads; undefined in a container, where process 2 is an ordinary one. */
  const kernelThreadIds = () =>
    text("2/comm") !== "kthreadd\n" ? undefined : text("2/task/2/children").split(" ").filter((pid) => pid !== "");

  const timeOf = (path: readonly string[], before?: ThreadTime) => {
    const times = parseSchedstat(text(...path, "schedstat"));
    if (times === undefined) return undefined;
    if (before !== undefined && times.cpuNs === before.cpuNs) return before;
    const cpu = parseLastCpu(text(...path, "stat"));
    return cpu === undefined ? undefined : { cpu, cpuNs: times.cpuNs };
  };

  return {
    /** Returns the kernel's threads by id; undefined if they cannot be seen. */
    ofKernel(): Map<number, ThreadTime> | undefined {
      const ids = kernelThreadIds();
      return ids && new Map(
        ids.flatMap((pid) => {
          const time = attempt("kernel thread", () => timeOf([pid], seenKernelThreads.get(pid)));
          // It has ended meanwhile.
          if ("unreadable" in time) return [];
          seenKernelThreads.set(pid, time.value);
          return [[Number(pid), time.value] as const];
        }),
      );
    },

    /** All others but those of one process, by id; undefined where not all processes of the machine can be seen. */
    ofOthers(reader: number): Map<number, ThreadTime> | undefined {
      const kernel = kernelThreadIds();
      if (kernel === undefined) return undefined;
      const apart = new Set(["2", String(reader), ...kernel]);
      const processes: typeof seenProcesses = new Map();
      for (const pid of list().filter((name) => /^\d+$/.test(name) && !apart.has(name))) {
        const process = attempt("process", () => {
          const ticks = parseStatTimes(text(pid, "stat"));
          if (ticks === undefined) return undefined;
          const before = seenProcesses.get(pid);
          if (before?.ticks === ticks) return before;
          const threads = list(pid, "task").flatMap((tid): [number, ThreadTime][] => {
            const time = attempt("thread", () => timeOf([pid, "task", tid]));
            return "value" in time ? [[Number(tid), time.value]] : [];
          });
          return { ticks, threads };
        });
        if ("value" in process) processes.set(pid, process.value);
      }
      seenProcesses = processes;
      return new Map([...processes.values()].flatMap(({ threads }) => threads));
    },
  };
}
