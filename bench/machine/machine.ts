import type { Topology } from "../plan/placement.ts";
import type { CountSample, CpuSample, HostSample, ProcessSample, Reading, ServerUse } from "../record/samples.ts";
import { nowUs } from "./clock.ts";
import { sizeOfAll } from "./server-processes.ts";

/** Facts and counters of the machine the driver runs on; one implementation for each operating system. */
export interface Machine {
  readonly os: "linux" | "darwin";
  topology(): Topology;
  /** @param switches how often it was made to wait, too */
  sampleProcess(pid: number, switches?: boolean): Reading<ProcessSample>;
  /** Returns the CPU time of a process and all its descendants, as user and system time. */
  serverUse(pid: number): Reading<ServerUse>;
  /** @param links what network interfaces carried, too */
  sampleCpus(links?: boolean): CpuSample;
  sampleCounts(): CountSample;
  /** CPUs each thread of a process, and of all it has started, may use, as lists; the same list is given once. */
  threadCpus(pid: number): Reading<readonly string[]>;
  /** Share of the memory that is free or could be freed at once, 0 to 1. */
  freeMemoryShare(): Reading<number>;
  /** Highest resident memory of a process so far, in bytes, summed over it and all it has started. */
  peakRssBytes(pid: number): Reading<number>;
}

/** Readings to take at one moment. */
export interface SampleRequest {
  /** Null for a process that is not known. */
  readonly pids: readonly (number | null)[];
  /**
   * `processes` reads the CPU times of processes. `cpus` adds those of the system, for moments inside a window. `counts`
   * adds counters of the system and context switches, for moments around a load: that takes longer.
   */
  readonly what: "processes" | "cpus" | "counts";
  readonly links?: boolean;
  readonly sizes?: boolean;
}

/** Reads everything at once, so that readings of one moment do not drift apart. */
export function takeSample(
  machine: Machine,
  { pids, what, links, sizes }: SampleRequest,
): Omit<HostSample, "agentCpuNs"> {
  const beganUs = nowUs();
  const held = pids.map((pid) => pid === null || sizes !== true ? null : sizeOfAll(pid));
  const startedMs = performance.now();
  const processes = pids.map((pid) =>
    pid === null ? { unreadable: "its process is not known" } : machine.sampleProcess(pid, what === "counts")
  );
  const cpus = what === "cpus" ? machine.sampleCpus(links) : null;
  const tookMs = (cpus?.cpusAtMs ?? performance.now()) - startedMs;
  const counts = what === "counts" ? machine.sampleCounts() : null;
  return { processes, sizes: held, cpus, counts, beganUs, atUs: nowUs(), tookMs };
}
