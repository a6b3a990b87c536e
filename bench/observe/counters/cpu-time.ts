import { type ProcessSample, type Reading, valueOf } from "../../record/samples.ts";

/** The total of the process counts in ticks of 10 ms, rounded at both ends: below this many it says nothing. */
const TICK_SLACK_NS = 30e6;

/** CPU nanoseconds a process used between two samples, of all its threads. */
export function cpuNsBetween(from: ProcessSample, to: ProcessSample): number {
  let sum = 0;
  for (const [tid, { cpuNs }] of to.threads) sum += cpuNs - (from.threads.get(tid)?.cpuNs ?? 0);
  // Only the process's total has the use of threads that ended.
  const total = to.tickNs - from.tickNs;
  const lost = [...from.threads.keys()].some((tid) => !to.threads.has(tid));
  return lost || total - sum > TICK_SLACK_NS ? Math.max(sum, total) : sum;
}

/** CPU nanoseconds a process used between two readings; null if one could not be read. */
export function cpuNs(from: Reading<ProcessSample>, to: Reading<ProcessSample>): number | null {
  return "value" in from && "value" in to ? cpuNsBetween(from.value, to.value) : null;
}

/**
 * Returns the CPU nanoseconds of each worker of a server between two readings, and of its other processes, or threads
 * if workers are threads. Null if the system does not separate processes, and for a worker that has ended.
 */
export function cpuNsByWorker(
  from: Reading<ProcessSample>,
  to: Reading<ProcessSample>,
  workers: readonly { readonly pid: number; readonly tid: number }[],
  are: "processes" | "threads",
): { readonly each: readonly (number | null)[]; readonly besideNs: number | null } {
  const [first, last] = [valueOf(from), valueOf(to)];
  const alone = (sample: ProcessSample, pid: number): ProcessSample => {
    const { tickNs = 0, tids = [] } = sample.processes?.get(pid) ?? {};
    return { ...sample, tickNs, threads: new Map([...sample.threads].filter(([tid]) => tids.includes(tid))) };
  };
  const used = first && last?.processes &&
    new Map([...last.processes.keys()].map((pid) => [pid, cpuNsBetween(alone(first, pid), alone(last, pid))]));
  const threadNs = (tid: number) => {
    const now = last!.threads.get(tid);
    return now && now.cpuNs - (first!.threads.get(tid)?.cpuNs ?? 0);
  };
  const each = workers.map(({ pid, tid }) => (used && (are === "threads" ? threadNs(tid) : used.get(pid))) ?? null);
  const sum = (values: Iterable<number | null>) => [...values].reduce<number>((all, one) => all + one!, 0);
  return { each, besideNs: !used || each.includes(null) ? null : Math.max(0, sum(used.values()) - sum(each)) };
}

/**
 * CPU nanoseconds a process used from the first of several readings to the last, as the sum of its parts: where a thread
 * ended, a part is known to a tick only, and the parts would be more than one difference over all of it.
 */
export function cpuNsAlong(readings: readonly Reading<ProcessSample>[]): number | null {
  let sum: number | null = 0;
  for (const [n, to] of readings.slice(1).entries()) {
    const part = cpuNs(readings[n]!, to);
    sum = sum === null || part === null ? null : sum + part;
  }
  return sum;
}
