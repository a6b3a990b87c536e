import type { Topology } from "../placement.ts";
import type { Reading } from "../../record/samples.ts";

/** What can be read of a machine at once, without waiting. Every field is read or says why it could not be. */
export interface MachineFacts {
  readonly os: "linux" | "darwin";
  /** Whether this process may change the machine without sudo. */
  readonly root: boolean;
  /** CPUs this process may use and be pinned to. */
  readonly topology: Topology;
  readonly onlineCpus: Reading<number>;
  /** For each allowed core, all its CPUs, also those this process may not use. */
  readonly siblings: Reading<readonly (readonly number[])[]>;
  readonly isolatedCpus: Reading<readonly number[]>;
  /** Whether the kernel moves memory between NUMA nodes by itself. */
  readonly numaBalancing: Reading<boolean>;
  /** Governors of the allowed CPUs, each once. */
  readonly governors: Reading<readonly string[]>;
  /** Whether CPUs may run above their nominal clock, and the file that says so. */
  readonly boost: Reading<{ readonly on: boolean; readonly switch: string }>;
  /** Lowest and highest clock the allowed CPUs may choose. */
  readonly clockRangeKHz: Reading<{ readonly min: number; readonly max: number }>;
  readonly power: Reading<{ readonly source: "mains" | "battery"; readonly saving: boolean }>;
  readonly clocksource: Reading<{ readonly current: string; readonly available: readonly string[] }>;
  /** Stolen since boot, of the time the allowed CPUs were busy or stolen (0 to 1). */
  readonly stealShare: Reading<number>;
  /** Load average of the last minute. */
  readonly loadAverage: Reading<number>;
  /** Share of the last 10 s in which some task waited (0 to 1). */
  readonly pressure: Reading<{ readonly cpu: number; readonly io: number; readonly memory: number }>;
  /** CPUs' worth of time a control group grants; null where none limits it. */
  readonly cpuQuota: Reading<number | null>;
  readonly memory: Reading<{ readonly totalBytes: number; readonly availableBytes: number }>;
  readonly swapUsedBytes: Reading<number>;
  /** Transparent huge pages: `always`, `madvise` or `never`. */
  readonly hugePages: Reading<string>;
  /** Address space layout randomisation: 0 off, 1 without the heap, 2 full. */
  readonly aslr: Reading<number>;
  readonly ports: Reading<{ readonly first: number; readonly last: number }>;
  /** Closed connections that still hold their port. */
  readonly timeWait: Reading<number>;
  readonly listenBacklog: Reading<number>;
  /** Files a process may have open; Infinity where nothing limits it. */
  readonly openFiles: Reading<number>;
  readonly hardwareCounters: Reading<boolean>;
  /** The hypervisor's name; null on bare metal. */
  readonly virtualMachine: Reading<string | null>;
  /** The container's kind; null outside one. */
  readonly container: Reading<string | null>;
}

/** A program results depend on. */
export interface ToolFacts {
  readonly name: string;
  readonly version: Reading<string>;
  /** The versions this project was tried with, and what says so. */
  readonly pinned: { readonly versions: readonly string[]; readonly by: string };
  /** The command that installs it. */
  readonly install: string;
  /** Of one that is no part of every measurement: what it is needed for. */
  readonly onlyFor?: string;
}

/** A folder this project writes to. Nothing is made: a folder not there yet is judged by the nearest one that is. */
export interface FolderFacts {
  readonly name: "data" | "results";
  readonly path: string;
  readonly freeBytes: Reading<number>;
  readonly writable: boolean;
  readonly disk: Reading<DiskKind>;
}

/** What holds a folder. */
export type DiskKind = "ssd" | "spinning" | "memory" | "network";

/** What was seen while a canary ran: a fixed piece of work, again and again, on one CPU. */
export interface WatchFacts {
  readonly watchedMs: number;
  readonly canary: Reading<CanaryFacts>;
  /** Processes of others that used a CPU meanwhile; shares of one CPU, largest first. */
  readonly busy: Reading<readonly BusyProcess[]>;
  /** By CPU: busy with the work of others, and stolen; shares of the time watched. */
  readonly cpus: Reading<readonly { readonly cpu: number; readonly others: number; readonly steal: number }[]>;
}

/** Times of one piece of work, in the order it was repeated. */
export interface CanaryFacts {
  /** The CPU it was pinned to; null where it was not. */
  readonly cpu: number | null;
  readonly wallMs: readonly number[];
  /** CPU time: unlike wall time it holds no waiting, so what varies in it is the speed of the CPU itself. */
  readonly cpuMs: readonly number[];
}

/** A process that used a CPU. */
export interface BusyProcess {
  readonly pid: number;
  readonly name: string;
  readonly share: number;
}

/** Everything the doctor looks at. */
export interface DoctorFacts {
  readonly machine: MachineFacts;
  readonly watch: WatchFacts;
  readonly tools: readonly ToolFacts[];
  readonly folders: readonly FolderFacts[];
}
