import type { HostSample } from "../record/samples.ts";
import { nowUs } from "./clock.ts";
import type { Machine } from "./machine.ts";
import { sizeOfAll } from "./process-size.ts";

/** What to read of a moment. */
export interface SampleWish {
  /** Null for a process that is not known. */
  readonly pids: readonly (number | null)[];
  /**
   * Of processes: their CPU times. What the system's `cpus` did, too, for moments inside a window. Or what it `counts`, and how
   * often processes were made to wait, for moments around a load: that takes longer.
   */
  readonly what: "processes" | "cpus" | "counts";
  /** With `cpus`: what network interfaces carried, too. */
  readonly links?: boolean;
  /** What each process holds, too. */
  readonly sizes?: boolean;
}

/** Reads in one go, so that readings of one moment do not drift apart. */
export function takeSample(machine: Machine, { pids, what, links, sizes }: SampleWish): Omit<HostSample, "agentCpuNs"> {
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
