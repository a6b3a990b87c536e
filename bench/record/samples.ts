/** A value read from the system, or why it could not be. */
export type Reading<T> = { readonly value: T } | { readonly unreadable: string };

/** CPU use of one process up to a moment. */
export interface ProcessSample {
  /** `performance.now()` in milliseconds at the time of reading. */
  readonly atMs: number;
  /** By thread id: nanoseconds on a CPU, and nanoseconds waiting for one (null if the system does not report them). */
  readonly threads: ReadonlyMap<number, { readonly cpuNs: number; readonly waitNs: number | null }>;
  /** Nanoseconds on a CPU of all threads, also ended ones, in clock ticks of 10 ms. */
  readonly tickNs: number;
  /** The same for each process, with its threads; absent if the system does not separate them. */
  readonly processes?: ReadonlyMap<number, { readonly tickNs: number; readonly tids: readonly number[] }>;
  /** Null if the system does not report it, or if only times were requested. */
  readonly involuntarySwitches: number | null;
}

/** The use of a process and all its children up to a moment. */
export interface ServerUse {
  /** By thread id. User and system time in ticks of 10 ms, of which only the ratio is used where `cpuNs` is known. */
  readonly threads: ReadonlyMap<number, ThreadUse>;
  /** Nanoseconds of all threads, also ended ones, in clock ticks of 10 ms. */
  readonly userNs: number;
  readonly systemNs: number;
  /** Page faults without and with reading from a disk; null if the system does not report them. */
  readonly minorFaults: number | null;
  readonly majorFaults: number | null;
  /** Bytes that went to a disk, or were left to the kernel to write there; null if the system does not report them. */
  readonly writtenBytes: number | null;
}

/** The use of one thread up to a moment, and the id of its process: the server, or one that it started. */
export interface ThreadUse {
  readonly name: string;
  readonly process: number;
  readonly userNs: number;
  readonly systemNs: number;
  readonly cpuNs: number;
  /** Nanoseconds it wanted a CPU and had none. */
  readonly waitNs: number;
  readonly voluntarySwitches: number;
  readonly involuntarySwitches: number;
}

/** Times of a CPU in nanoseconds, from any moment on: differences count. */
export interface CpuTimes {
  readonly busyNs: number;
  /** Idle while a process that ran there last waited for a disk; absent where the system does not count it. */
  readonly diskNs?: number;
  /** Stolen by the hypervisor. */
  readonly stealNs: number;
  readonly softirqNs: number;
}

/** The times of the whole system's CPUs up to a moment; each part may be unreadable. Read inside windows, so kept cheap. */
export interface CpuSample {
  readonly cpus: Reading<ReadonlyMap<number, CpuTimes>>;
  /** The kernel's threads by id: the CPU on which each ran last, and its total nanoseconds. */
  readonly kernelThreads: Reading<ReadonlyMap<number, { readonly cpu: number; readonly cpuNs: number }>>;
  /**
   * By thread id: the same of every other process but the one that reads, servers and generator among them. A process whose
   * time moved by less than a tick since it was read last stands as it was.
   */
  readonly otherThreads: Reading<ReadonlyMap<number, { readonly cpu: number; readonly cpuNs: number }>>;
  /** Bytes that each network interface has received and sent so far, by name; unreadable if not requested. */
  readonly links: Reading<Readonly<Record<string, { readonly received: number; readonly sent: number }>>>;
  /** Clock rate of each CPU in kHz. */
  readonly khz: Reading<ReadonlyMap<number, number>>;
  /** Time at which the CPUs had been read, in milliseconds of the monotonic clock. */
  readonly cpusAtMs: number;
}

/** The whole system's counts up to a moment; each may be unreadable. Read before and after loads, not during them. */
export interface CountSample {
  readonly passiveOpens: Reading<number>;
  readonly listenOverflows: Reading<number>;
  readonly retransmits: Reading<number>;
  /** Received over loopback so far: everything that was sent there. */
  readonly loopbackBytes: Reading<number>;
  /** The wall clock's milliseconds when the steady clock stood at 0: moves when somebody sets the clock. */
  readonly clockMs: number;
  readonly swappedPages: Reading<number>;
  readonly throttledNs: Reading<number>;
}

/** Servers at one moment of a load. */
export interface ServersSample {
  readonly servers: readonly Reading<ProcessSample>[];
  /** Milliseconds within which this moment was read: a driver may wait for its turn. */
  readonly tookMs: number;
  /** Wall clock of the load generator's host in microseconds, by which the generator reports its totals. */
  readonly atUs: number;
}

/** Servers and generator as they were at one moment inside the window, and the system around them. */
export interface InnerSample extends ServersSample {
  /** Services of the servers; absent without any. */
  readonly services?: readonly Reading<ProcessSample>[];
  readonly generator: Reading<ProcessSample>;
  readonly system: CpuSample;
  /** Counters of the generator's machine, if it is another one. Its CPU numbers and clocks differ from the servers'. */
  readonly loadSystem?: CpuSample;
  /** CPU time of the driver itself and its agents so far, in nanoseconds. */
  readonly driverCpuNs: number;
}

/** A process that used a CPU. */
export interface BusyProcess {
  readonly pid: number;
  readonly name: string;
  readonly share: number;
}

/** The readings of one host at one moment. Clocks of two hosts differ, so their readings are never compared. */
export interface HostSample {
  /** In the requested order. */
  readonly processes: readonly Reading<ProcessSample>[];
  /** Resident bytes and open descriptors of each process; null if not requested or not reported. */
  readonly sizes: readonly ({ readonly bytes: number; readonly descriptors: number } | null)[];
  /** Null if they were not requested. */
  readonly cpus: CpuSample | null;
  readonly counts: CountSample | null;
  /** The wall clock in microseconds before the first reading and after the last. */
  readonly beganUs: number;
  readonly atUs: number;
  /** Milliseconds from the first reading of a process to that of the CPUs, or to the last process without these. */
  readonly tookMs: number;
  /** CPU time of the agent that reads so far, in nanoseconds; 0 if the driver itself does. */
  readonly agentCpuNs: number;
}

/** The value of a reading, or null. */
export function valueOf<T>(reading: Reading<T>): T | null {
  return "value" in reading ? reading.value : null;
}
