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

/** How far apart they were where that was measured or the hypervisor took the cores away: as long, twice at most. */
const measuredNs = ({ load, counters }: Loaded, us = load?.duration_us ?? 0): number =>
  MOMENT_NS + 2 * (counters?.moment_ns ?? 0) + 2 * (counters?.steal_share ?? 0) * 1e3 * us;

/**
 * The same beside servers that said much that the driver had to read: it waited for its turn, or was at it, as long. Of a
 * load that lasted so many microseconds.
 */
export const momentNs = (loaded: Loaded, us = loaded.load?.duration_us ?? 0): number =>
  measuredNs(loaded, us) + 2 * (loaded.counters?.driver_share ?? 0) * 1e3 * us;

/** How far apart processes and cores were read. Where that was measured, what the driver had to read is in it. */
export const readingsNs = (loaded: Loaded): number =>
  typeof loaded.counters?.moment_ns === "number" ? measuredNs(loaded) : momentNs(loaded);

/** A tick of the system's accounts in nanoseconds. What a process used is known to one of them where a thread ended. */
export const TICK_NS = 10e6;
