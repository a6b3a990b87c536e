import type { Topology } from "../plan/placement.ts";
import type { CountSample, CpuSample, ProcessSample, Reading, ServerUse } from "../record/samples.ts";

/** What the driver can learn of the machine it runs on; one implementation an operating system. */
export interface Machine {
  readonly os: "linux" | "darwin";
  topology(): Topology;
  /** @param switches how often it was made to wait, too */
  sampleProcess(pid: number, switches?: boolean): Reading<ProcessSample>;
  /** What a process and all it has started used, with user and system time apart. */
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
