import type { z } from "zod";
import type { countersSchema } from "./result/observation-record.ts";
import type { ProcessSample, Reading, SystemSample } from "./samples.ts";

/** Servers and generator as they were at one moment inside the window, and the system around them. */
export interface InnerSample {
  readonly servers: readonly Reading<ProcessSample>[];
  readonly generator: Reading<ProcessSample>;
  readonly system: SystemSample;
  /** CPU time of the driver itself so far, in nanoseconds. */
  readonly driverCpuNs: number;
}

/** Everything read around one load. */
export interface LoadSamples {
  /** Just before the generator starts and just after it ended; servers idle outside the load, so edges add nothing. */
  readonly serversBefore: readonly Reading<ProcessSample>[];
  readonly serversAfter: readonly Reading<ProcessSample>[];
  readonly systemBefore: SystemSample;
  readonly systemAfter: SystemSample;
  /** Two moments well inside the window; null when the load ended too soon. */
  readonly early: InnerSample | null;
  readonly late: InnerSample | null;
  /** A moment between them at which the window is parted; null where it is not. */
  readonly part: InnerSample | null;
  readonly serverCpus: readonly number[] | null;
  readonly loadCpus: readonly number[] | null;
  readonly requests: number;
}

/** See {@link countersSchema}. */
export type Counters = z.infer<typeof countersSchema>;

/** The process's own total counts in ticks of 10 ms, rounded at both ends: below this many it says nothing. */
const TICK_SLACK_NS = 30e6;

/** CPU nanoseconds a process used between two samples, of all its threads. */
export function cpuNsBetween(from: ProcessSample, to: ProcessSample): number {
  let sum = 0;
  for (const [tid, { cpuNs }] of to.threads) sum += cpuNs - (from.threads.get(tid)?.cpuNs ?? 0);
  // What ended threads used, also those that began meanwhile, is only in the process's own total.
  const total = to.tickNs - from.tickNs;
  const lost = [...from.threads.keys()].some((tid) => !to.threads.has(tid));
  return lost || total - sum > TICK_SLACK_NS ? Math.max(sum, total) : sum;
}

/** CPU nanoseconds a process used between two readings; null where one could not be read. */
export function cpuNs(from: Reading<ProcessSample>, to: Reading<ProcessSample>): number | null {
  return "value" in from && "value" in to ? cpuNsBetween(from.value, to.value) : null;
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

/** Turns samples into the counters of an observation. What could not be read is null and named in `unreadable`. */
export function countersOf(samples: LoadSamples): Counters {
  const unreadable: Record<string, string> = {};
  const field = <A, T>(name: string, inputs: Reading<A>[], compute: (values: A[]) => T): T | null => {
    const values: A[] = [];
    for (const input of inputs) {
      if ("unreadable" in input) {
        unreadable[name] = input.unreadable;
        return null;
      }
      values.push(input.value);
    }
    return compute(values);
  };
  const delta = (name: string, from: Reading<number>, to: Reading<number>) =>
    field(name, [from, to], ([a, b]) => b! - a!);

  const { early, late, part, serversBefore, serversAfter, systemBefore, systemAfter } = samples;
  const missing: Reading<never> = { unreadable: "the load ended before it could be sampled" };
  const windowNs = field(
    "share_window_ns",
    [early?.generator ?? missing, late?.generator ?? missing],
    ([a, b]) => (b!.atMs - a!.atMs) * 1e6,
  );
  /** A figure from the samples of some processes at both moments. */
  const inner = <T>(
    name: string,
    of: "servers" | "generator",
    compute: (pairs: readonly (readonly [ProcessSample, ProcessSample])[]) => T,
  ) => {
    if (windowNs === null) return (unreadable[name] = unreadable["share_window_ns"]!, null);
    const at = (sample: InnerSample | null) => sample === null ? [missing] : [sample[of]].flat();
    const [from, to] = [at(early), at(late)];
    return field(
      name,
      [...from, ...to],
      (values) => compute(from.map((_, n) => [values[n]!, values[from.length + n]!] as const)),
    );
  };
  const total = (pairs: readonly (readonly [ProcessSample, ProcessSample])[]) =>
    pairs.reduce((sum, [a, b]) => sum + cpuNsBetween(a, b), 0);

  /** CPU time of all servers along some moments: that of a longer stretch is the sum of its parts, however it is parted. */
  const serversAlong = (name: string, moments: readonly (readonly Reading<ProcessSample>[])[]) =>
    field(
      name,
      moments.flat(),
      (values) =>
        values.slice(serversBefore.length)
          .reduce((sum, to, n) => sum + cpuNsBetween(values[n]!, to), 0),
    );
  const inside = [early, part, late].flatMap((at) => at === null ? [] : [at.servers]);

  const serverNs = windowNs === null ? null : serversAlong("server_share", inside);
  const generatorNs = inner("generator_share", "generator", total);
  const busiest = inner("generator_share", "generator", ([pair]) => {
    const [a, b] = pair!;
    let most = 0;
    for (const [tid, { cpuNs }] of b.threads) most = Math.max(most, cpuNs - (a.threads.get(tid)?.cpuNs ?? cpuNs));
    return most;
  });
  /** Names a figure that was sampled but that this system does not tell. */
  const told = <T>(name: string, value: T | null): T | null => {
    if (value === null) unreadable[name] ??= "this system does not tell it";
    return value;
  };
  const waitNs = told(
    "server_wait_share",
    inner("server_wait_share", "servers", (pairs) => {
      let most = 0;
      for (const [a, b] of pairs) {
        for (const [tid, { waitNs }] of b.threads) {
          if (waitNs === null) return null;
          most = Math.max(most, waitNs - (a.threads.get(tid)?.waitNs ?? waitNs));
        }
      }
      return most;
    }),
  );
  const busiestServer = inner("server_thread_share", "servers", (pairs) => {
    let most = 0;
    for (const [a, b] of pairs) {
      for (const [tid, { cpuNs }] of b.threads) most = Math.max(most, cpuNs - (a.threads.get(tid)?.cpuNs ?? cpuNs));
    }
    return most;
  });
  const share = (ns: number | null, cpus = 1) => ns === null || windowNs === null ? null : ns / windowNs / cpus;

  const pinned = [...new Set([...samples.serverCpus ?? [], ...samples.loadCpus ?? []])];
  const cpuDelta = (
    name: string,
    pick: "busyNs" | "stealNs" | "softirqNs",
    reduce: (values: number[]) => number,
    cpus: readonly number[] = pinned,
  ): number | null => {
    if (cpus.length === 0) {
      unreadable[name] = "processes are not pinned";
      return null;
    }
    return field(
      name,
      [early?.system.cpus ?? missing, late?.system.cpus ?? missing],
      ([a, b]) => reduce(cpus.map((cpu) => (b!.get(cpu)?.[pick] ?? 0) - (a!.get(cpu)?.[pick] ?? 0))),
    );
  };
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const busyNs = cpuDelta("foreign_share", "busyNs", sum);
  const coreNs = cpuDelta("core_share", "busyNs", sum, samples.serverCpus ?? []);
  const side = (cpus: readonly number[], own: number | null): CoreTimes | null => {
    const busy = cpus.length === 0 ? null : cpuDelta("softirq_in_cpu_time", "busyNs", sum, cpus);
    const soft = cpus.length === 0 ? null : cpuDelta("softirq_in_cpu_time", "softirqNs", sum, cpus);
    return busy === null || soft === null || own === null ? null : { busyNs: busy, ownNs: own, softirqNs: soft };
  };
  // On a core of both, what either used is no work of others.
  const shared = (samples.serverCpus ?? []).some((cpu) => samples.loadCpus?.includes(cpu));
  const beside = shared ? generatorNs ?? 0 : 0;
  const counts = told(
    "softirq_in_cpu_time",
    shared
      ? null
      : softirqInCpuTime([side(samples.serverCpus ?? [], serverNs), side(samples.loadCpus ?? [], generatorNs)]),
  );
  // Where they are kept apart, soft interrupts on the servers' cores are theirs all the same: packets of their requests.
  const besides = counts !== false ? 0 : cpuDelta("server_share", "softirqNs", sum, samples.serverCpus ?? []) ?? 0;
  const besidesAll = counts !== false ? 0 : cpuDelta("foreign_share", "softirqNs", sum) ?? 0;
  const servedNs = serverNs === null ? null : serverNs + besides;
  // The kernel's own threads write out and journal what the servers wrote.
  const kernelNs = (name: string, cpus: readonly number[]) =>
    field(
      name,
      [early?.system.kernelThreads ?? missing, late?.system.kernelThreads ?? missing],
      ([a, b]) => sum([...b!].map(([id, { cpu, cpuNs }]) => cpus.includes(cpu) ? cpuNs - (a!.get(id)?.cpuNs ?? 0) : 0)),
    );
  const serverCpus = samples.serverCpus?.length ?? 1;
  // Soft interrupts that came while the servers waited, for a disk say, are in nobody's time.
  const idle = servedNs === null || windowNs === null ? 0 : Math.max(0, 1 - servedNs / windowNs / serverCpus);
  const idleSoftirqNs = counts === false
    ? 0
    : idle * (cpuDelta("softirq_share", "softirqNs", sum, samples.serverCpus ?? []) ?? 0);
  const serverKernelNs = kernelNs("server_kernel_share", samples.serverCpus ?? []);
  const around = <T>(name: string, compute: (a: ProcessSample, b: ProcessSample) => T): T[] | null =>
    field(
      name,
      [...serversBefore, ...serversAfter],
      (values) => serversBefore.map((_, n) => compute(values[n]!, values[serversBefore.length + n]!)),
    );
  const serverCpuNs = serversAlong("server_cpu_ns", [serversBefore, ...inside, serversAfter]);
  if (serverCpuNs === null) unreadable["server_cpu_ns_per_request"] = unreadable["server_cpu_ns"]!;
  else if (samples.requests === 0) unreadable["server_cpu_ns_per_request"] = "no requests";

  const counters: Counters = {
    server_cpu_ns: serverCpuNs,
    server_cpu_ns_per_request: serverCpuNs === null || samples.requests === 0 ? null : serverCpuNs / samples.requests,
    server_share: share(servedNs, serverCpus),
    server_thread_share: share(busiestServer),
    generator_share: share(busiest),
    core_share: share(coreNs, serverCpus),
    driver_share: early === null || late === null ? null : share(late.driverCpuNs - early.driverCpuNs),
    share_window_ns: windowNs,
    server_wait_share: share(waitNs),
    steal_share: share(cpuDelta("steal_share", "stealNs", (values) => Math.max(...values))),
    foreign_share: busyNs === null || serverNs === null || generatorNs === null ? null : share(
      Math.max(0, busyNs - serverNs - generatorNs - besidesAll - (kernelNs("server_kernel_share", pinned) ?? 0)),
    ),
    server_foreign_share: coreNs === null || servedNs === null
      ? null
      : share(Math.max(0, coreNs - servedNs - (serverKernelNs ?? 0) - beside - idleSoftirqNs), serverCpus),
    server_kernel_share: share(serverKernelNs, serverCpus),
    softirq_in_cpu_time: counts,
    loopback_bytes: delta("loopback_bytes", systemBefore.loopbackBytes, systemAfter.loopbackBytes),
    frequency_change: field(
      "frequency_change",
      [early?.system.khz ?? missing, late?.system.khz ?? missing],
      ([a, b]) =>
        Math.max(
          0,
          ...(samples.serverCpus ?? []).flatMap((cpu) => {
            const [from, to] = [a!.get(cpu), b!.get(cpu)];
            return from === undefined || to === undefined || from === 0 ? [] : Math.abs(to / from - 1);
          }),
        ),
    ),
    clock_step_ms: Math.abs(systemAfter.clockMs - systemBefore.clockMs),
    softirq_share: share(cpuDelta("softirq_share", "softirqNs", (values) => Math.max(...values))),
    involuntary_switches: told(
      "involuntary_switches",
      around("involuntary_switches", (a, b) => {
        const from = a.involuntarySwitches, to = b.involuntarySwitches;
        return from === null || to === null ? null : Math.max(0, to - from);
      })?.reduce<number | null>((all, own) => all === null || own === null ? null : all + own, 0) ?? null,
    ),
    connections_opened: delta("connections_opened", systemBefore.passiveOpens, systemAfter.passiveOpens),
    listen_overflows: delta("listen_overflows", systemBefore.listenOverflows, systemAfter.listenOverflows),
    retransmits: delta("retransmits", systemBefore.retransmits, systemAfter.retransmits),
    throttled_ns: delta("throttled_ns", systemBefore.throttledNs, systemAfter.throttledNs),
    swapped_pages: delta("swapped_pages", systemBefore.swappedPages, systemAfter.swappedPages),
    unreadable,
  };
  // A figure that rests on another one is lost with it.
  if (coreNs === null) unreadable["server_foreign_share"] ??= unreadable["core_share"]!;
  for (const [name, value] of Object.entries(counters)) {
    if (value === null) {
      unreadable[name] ??= unreadable["share_window_ns"] ?? unreadable["generator_share"] ?? missing.unreadable;
    }
  }
  return counters;
}
