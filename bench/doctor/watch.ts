import { fileURLToPath } from "node:url";
import type { BusyProcess, Reading } from "../record/samples.ts";
import { type Child, startChild } from "../machine/child.ts";
import { LIMITS, within } from "../machine/clock.ts";
import { parseCpuTimes } from "../machine/linux/proc-text.ts";
import { childEnvironment, driverArgs } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { attempt, fileTree } from "../machine/readings.ts";
import { outputOf } from "../machine/programs.ts";
import { busyBetween, darwinProcesses, linuxProcesses } from "../machine/processes.ts";

/** Readings while a canary ran: a fixed piece of work, repeated on one CPU. */
export interface WatchFacts {
  readonly watchedMs: number;
  readonly canary: Reading<CanaryFacts>;
  /** Other processes that used a CPU meanwhile; shares of one CPU, largest first. */
  readonly busy: Reading<readonly BusyProcess[]>;
  /** Time of each CPU used by other work, and stolen from it; shares of the time watched. */
  readonly cpus: Reading<readonly { readonly cpu: number; readonly others: number; readonly steal: number }[]>;
}

/** Times of one piece of work, in the order it was repeated. */
export interface CanaryFacts {
  /** Its CPU; null if it was not pinned. */
  readonly cpu: number | null;
  readonly wallMs: readonly number[];
  /** CPU time excludes waiting, so its variation is that of the CPU's speed. */
  readonly cpuMs: readonly number[];
}

/** Length of one piece of the canary's work, and of all its repeats. */
const PIECE_MS = 20, TOTAL_MS = 1_000;

const CANARY = fileURLToPath(new URL("./canary-main.ts", import.meta.url));

/** Runs the canary on one CPU, or unpinned if that is null, and watches other work on this machine meanwhile. */
export async function watchMachine(cpu: number | null): Promise<WatchFacts> {
  const files = fileTree("/");
  const linux = process.platform === "linux";
  const processes = () => linux ? linuxProcesses(files) : darwinProcesses(outputOf);
  const cpuTimes = () =>
    linux
      ? attempt("/proc/stat", () => parseCpuTimes(files.line("proc/stat")))
      : { unreadable: "macOS does not tell CPU times by core" };

  const child = startChild({
    file: process.execPath,
    args: [...driverArgs(), CANARY, String(PIECE_MS), String(TOTAL_MS)],
    cpus: cpu === null ? null : [cpu],
    env: childEnvironment(),
    cwd: PROJECT_ROOT,
  });
  // The canary reports the end of its warm-up: neither its start nor the driver's work is in the watched time.
  const ready = await within(LIMITS.canaryMs, child.firstLine());
  const processesBefore = processes(), cpusBefore = cpuTimes();
  const started = performance.now();
  const canary = await canaryOf(child, cpu);
  const watchedMs = performance.now() - started;
  const cpusAfter = cpuTimes(), processesAfter = processes();
  // If a shell ties the canary to the driver, the child's id is the shell's.
  const ours = new Set([process.pid, child.pid, Number(/^ready (\d+)$/.exec(ready ?? "")?.[1] ?? child.pid)]);
  return {
    watchedMs,
    canary,
    busy: "unreadable" in processesBefore
      ? processesBefore
      : "unreadable" in processesAfter
      ? processesAfter
      : { value: busyBetween(processesBefore.value, processesAfter.value, watchedMs, ours) },
    cpus: "unreadable" in cpusBefore ? cpusBefore : "unreadable" in cpusAfter ? cpusAfter : {
      value: [...cpusAfter.value].flatMap(([id, after]) => {
        const before = cpusBefore.value.get(id);
        // Other work on the canary's CPU shows in its times.
        if (before === undefined) return [];
        const others = id === cpu ? 0 : (after.busyNs - before.busyNs) / (watchedMs * 1e6);
        return [{ cpu: id, others, steal: (after.stealNs - before.stealNs) / (watchedMs * 1e6) }];
      }),
    },
  };
}

async function canaryOf(child: Child, cpu: number | null): Promise<Reading<CanaryFacts>> {
  const ending = await within(LIMITS.canaryMs, child.ended);
  if (ending === "timeout") {
    child.kill("SIGKILL");
    return { unreadable: `the canary did not end within ${LIMITS.canaryMs / 1000} s` };
  }
  if ("failed" in ending) return { unreadable: `the canary could not be started: ${ending.failed}` };
  return attempt("what the canary printed", () => {
    if (ending.code !== 0) {
      throw new Error(child.stderrTail().split("\n")[0] || `it ended with ${ending.code ?? ending.signal}`);
    }
    const { wallMs, cpuMs } = JSON.parse(child.stdout().split("\n")[1] ?? "") as { wallMs: number[]; cpuMs: number[] };
    return { cpu, wallMs, cpuMs };
  });
}
