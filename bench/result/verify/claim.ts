import type { Loaded } from "../../record/observation-record.ts";

/** Told of each thing a run says: whether its other figures bear it out and, where they do not, what is wrong. */
export type Claim = (holds: boolean, text: string) => void;

/** Relative slack for figures recomputed by floating point from others of the same line. */
const SLACK = 1e-9;

/** Whether a figure is the one recomputed from others. */
export const near = (a: number | null, b: number): boolean =>
  a !== null && Math.abs(a - b) <= SLACK * Math.max(Math.abs(a), Math.abs(b), 1e-12);

/**
 * How far apart the readings of one moment may be, in nanoseconds: servers, generator and cores are read one after the
 * other by a driver that has to wait for its own turn. Ten of the ticks in which cores are accounted.
 */
const MOMENT_NS = 100e6;

/**
 * The same for a load of which it is known how far they were, beside which the hypervisor took the cores away, or whose servers
 * said much that the driver had to read: it waited for its turn, or was at it, as long, twice at most.
 */
export const momentNs = ({ load, counters }: Loaded): number => {
  const { moment_ns: moment, steal_share: stolen, driver_share: driver } = counters ?? {};
  return MOMENT_NS + 2 * (moment ?? 0) + 2 * ((stolen ?? 0) + (driver ?? 0)) * 1e3 * (load?.duration_us ?? 0);
};

/** A tick of the system's accounts in nanoseconds. What a process used is known to one of them where a thread ended. */
export const TICK_NS = 10e6;
