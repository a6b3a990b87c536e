import { z } from "zod";
import { longText } from "./bounds.ts";

const count = z.int().nonnegative();
const ns = z.number().nonnegative();
const share = z.number().nonnegative();

/** The interface servers listen on, in the inner part of the window; its speed counts for each direction. */
export type LinkUse = z.infer<typeof linkSchema>;
const linkSchema = z.strictObject({
  name: longText,
  received_bytes_per_second: ns.nullable(),
  sent_bytes_per_second: ns.nullable(),
  /** Null if the system does not report it, as for loopback. */
  bits_per_second: z.number().positive().nullable(),
  /** The share of it that the busier direction carried. */
  share: share.nullable(),
  /** The shortest handshake from the load's side. */
  round_trip_us: z.number().nonnegative().nullable(),
  /** TCP retransmissions of servers and generator per request of the load. */
  retransmit_share: share.nullable(),
});

/** CPU time of all servers of the observation together. */
const serverCost = z.strictObject({
  server_cpu_ns: ns.nullable(),
  server_cpu_ns_per_request: ns.nullable(),
  /** Between the readings of it before the generator started and after it ended: the load, and what a full machine kept both waiting. */
  cpu_window_ns: ns.nullable().optional(),
  /** True if CPU time of processes includes the soft interrupts that served them; null if there were too few to tell. */
  softirq_in_cpu_time: z.boolean().nullable(),
});

/** Shares of one CPU each that parts of the measurement were busy, over the inner part of the window. */
export type BusyShares = z.infer<typeof busyShares>;
const busyShares = z.strictObject({
  server_share: share.nullable(),
  /** Busy share of the busiest thread of a server: on several cores a server of one thread is never busy on all. */
  server_thread_share: share.nullable(),
  generator_share: share.nullable(),
  /** Share of their CPUs that services used, or of one CPU that their busiest thread used; absent without services. */
  service_share: share.nullable().optional(),
  /** Busy share of the cores that services and generator have together; absent if they do not share them. */
  load_core_share: share.nullable().optional(),
  /** Busy share of the servers' cores, others' work included: well below 1 the servers waited for something else than the CPU. */
  core_share: share.nullable(),
  /** Share of the time that the servers' cores were idle while a process there waited for a disk; absent if not counted. */
  disk_share: share.nullable().optional(),
  driver_share: share.nullable(),
});

/** Disturbance of the inner part of the window, by other processes and the system. */
const disturbance = z.strictObject({
  server_wait_share: share.nullable(),
  steal_share: share.nullable(),
  foreign_share: share.nullable(),
  softirq_share: share.nullable(),
  /** Share of one CPU that others used on the servers' cores; what they use of the generator's is in `foreign_share` too. */
  server_foreign_share: share.nullable(),
  /** Share of the generator's cores that threads of others used, the one who reads left out. */
  generator_foreign_share: share.nullable().optional(),
  /** Share of the servers' cores that kernel threads used, to write out data for instance. Not other processes'. */
  server_kernel_share: share.nullable(),
  /** Change of the servers' cores' clock rate inside the window, as a share. */
  frequency_change: share.nullable(),
});

/** Counts of the system from before the load until after it. */
const systemCounts = z.strictObject({
  involuntary_switches: count.nullable(),
  loopback_bytes: count.nullable(),
  /** By how much the wall clock was moved against the steady one, in milliseconds. */
  clock_step_ms: share.nullable(),
  connections_opened: count.nullable(),
  listen_overflows: count.nullable(),
  retransmits: count.nullable(),
  throttled_ns: ns.nullable(),
  swapped_pages: count.nullable(),
});

/** Counters of the system. A value that could not be read is null, and `unreadable` has the reason. */
export type Counters = z.infer<typeof countersSchema>;
export const countersSchema = z.strictObject({
  ...serverCost.shape,
  ...busyShares.shape,
  ...disturbance.shape,
  ...systemCounts.shape,
  /** Length of the inner part in nanoseconds. */
  share_window_ns: ns.nullable(),
  /** The longest time between readings of one moment, in nanoseconds; null if CPUs are not read. */
  moment_ns: ns.nullable().optional(),
  /** Only where hosts were named. */
  link: linkSchema.optional(),
  unreadable: z.record(longText, longText),
});
