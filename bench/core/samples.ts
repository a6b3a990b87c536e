/** A value read from the system, or why it could not be. */
export type Reading<T> = { readonly value: T } | { readonly unreadable: string };

/** CPU use of one process up to a moment. */
export interface ProcessSample {
  /** `performance.now()` in milliseconds at the time of reading. */
  readonly atMs: number;
  /** By thread id: nanoseconds on a CPU, nanoseconds waiting for one (null where the system does not tell). */
  readonly threads: ReadonlyMap<number, { readonly cpuNs: number; readonly waitNs: number | null }>;
  /** Nanoseconds on a CPU of all threads, also ended ones, in clock ticks of 10 ms. */
  readonly tickNs: number;
  /** Null where the system does not tell. */
  readonly involuntarySwitches: number | null;
}

/** Counters of the whole system up to a moment; each may be unreadable on its own. */
export interface SystemSample {
  /** By CPU: nanoseconds busy (from any moment on: differences count), stolen by the hypervisor, in soft interrupts. */
  readonly cpus: Reading<
    ReadonlyMap<number, { readonly busyNs: number; readonly stealNs: number; readonly softirqNs: number }>
  >;
  /** By id: the kernel's own threads, on which CPU each ran last and for how many nanoseconds in all. */
  readonly kernelThreads: Reading<ReadonlyMap<number, { readonly cpu: number; readonly cpuNs: number }>>;
  readonly passiveOpens: Reading<number>;
  readonly listenOverflows: Reading<number>;
  readonly retransmits: Reading<number>;
  /** Received over loopback so far: everything that was sent there. */
  readonly loopbackBytes: Reading<number>;
  /** Clock rate of each CPU in kHz. */
  readonly khz: Reading<ReadonlyMap<number, number>>;
  /** The wall clock's milliseconds when the steady clock stood at 0: moves when somebody sets the clock. */
  readonly clockMs: number;
  /** When the CPUs had been read: milliseconds of the steady clock. */
  readonly cpusAtMs: number;
  readonly swappedPages: Reading<number>;
  readonly throttledNs: Reading<number>;
}

/** The value of a reading, or null. */
export function valueOf<T>(reading: Reading<T>): T | null {
  return "value" in reading ? reading.value : null;
}
