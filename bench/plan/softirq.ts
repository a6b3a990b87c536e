/** Busy time of some cores, of the processes meant to be on them, and in soft interrupts, in nanoseconds. */
export interface CoreTimes {
  readonly busyNs: number;
  readonly ownNs: number;
  readonly softirqNs: number;
}

/** Share of the busy time from which soft interrupts say something, and how well they must fill the gap. */
const LEAST_SOFTIRQ = 0.05;
const FIT = 0.25;

/**
 * Whether the CPU time of processes holds the soft interrupts that served them. Most kernels charge those to whoever was
 * running; one with CONFIG_IRQ_TIME_ACCOUNTING keeps them apart, and then a busy server seems to be idle for as long.
 * They are apart when just they are missing between busy cores and the processes on them, on the servers' side and on
 * the generator's: work of others would have to be as much by chance, twice.
 */
export function softirqInCpuTime(sides: readonly (CoreTimes | null)[]): boolean | null {
  const told = sides.filter((side) => side !== null && side.softirqNs >= LEAST_SOFTIRQ * side.busyNs) as CoreTimes[];
  if (told.length < 2) return null;
  return !told.every(({ busyNs, ownNs, softirqNs }) => Math.abs(busyNs - ownNs - softirqNs) < FIT * softirqNs);
}
