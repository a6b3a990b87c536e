/** How exact readings of CPU time are: the slack of what is held against them. All in nanoseconds. */
import type { Loaded, Member } from "../record/observation-record.ts";

type Counters = NonNullable<Loaded["counters"]>;

/** A tick of the system's accounts. The CPU time of a process is known to one of them where a thread ended. */
export const TICK_NS = 10e6;

/**
 * The time between readings of one moment: at least ten ticks, twice what was measured of it, and twice as long as the
 * hypervisor held the cores, or the driver's own work held the driver.
 */
export function momentNs(counters: Counters, durationUs: number): number {
  const held = (counters.steal_share ?? 0) + (counters.driver_share ?? 0);
  return 10 * TICK_NS + 2 * (counters.moment_ns ?? 0) + 2 * held * 1e3 * durationUs;
}

/** CPU time of servers while shares were read. Soft interrupts that are accounted apart from it are in the share alone. */
export function innerNs(counters: Counters, cpus: number): { readonly least: number; readonly most: number } {
  const { server_share, share_window_ns, softirq_in_cpu_time, softirq_share } = counters;
  const all = (share_window_ns ?? NaN) * cpus, most = (server_share ?? NaN) * all;
  const apart = softirq_in_cpu_time === false ? (softirq_share ?? 1) * all : 0;
  return { least: Math.max(0, most - apart) * (1 - 1e-9), most: most * (1 + 1e-9) };
}

/** CPU time of a member in all of its window, and how inexact it is: by two ticks for each part in whole ticks. */
export function usedNs({ cpu_ns, parts, lead_in }: Member): { readonly ns: number; readonly slack: number } {
  const [head, tail] = parts ?? [];
  const pieces = head === undefined || tail === undefined
    ? [TICK_NS]
    : [head.cpu_ns, tail.cpu_ns, cpu_ns! - head.cpu_ns - tail.cpu_ns];
  const whole = pieces.filter((ns) => ns > 0 && ns % TICK_NS === 0).length;
  return { ns: cpu_ns! + (lead_in?.cpu_ns ?? 0), slack: 2 * TICK_NS * whole };
}
