import type { z } from "zod";
import { cpuNsBetween } from "./cpu-time.ts";
import { neighboursOfGenerator } from "./generator-neighbours.ts";
import { linkUse, type ServerLink } from "./link.ts";
import type { countersSchema } from "../record/counters-schema.ts";
import type { CountSample, InnerSample, ProcessSample, Reading } from "../record/samples.ts";
import { type CoreTimes, softirqInCpuTime } from "./softirq.ts";

/** Everything read around one load. */
export interface LoadSamples {
  /** Just before the generator starts and just after it ended; servers idle outside the load, so edges add nothing. */
  readonly serversBefore: readonly Reading<ProcessSample>[];
  readonly serversAfter: readonly Reading<ProcessSample>[];
  readonly systemBefore: CountSample;
  readonly systemAfter: CountSample;
  /** The same of the generator's machine, where that is another one. */
  readonly loadBefore?: CountSample | undefined;
  readonly loadAfter?: CountSample | undefined;
  /** Two moments well inside the window; null when the load ended too soon. */
  readonly early: InnerSample | null;
  readonly late: InnerSample | null;
  /** A moment between them at which the window is parted; null where it is not. */
  readonly part: Pick<InnerSample, "servers" | "tookMs"> | null;
  readonly serverCpus: readonly number[] | null;
  readonly loadCpus: readonly number[] | null;
  readonly requests: number;
  /** The interface servers listen on, where it is to be measured; see link.ts. */
  readonly link?: ServerLink | undefined;
}

/** See {@link countersSchema}. */
export type Counters = z.infer<typeof countersSchema>;

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
  const apart = early?.loadSystem !== undefined && late?.loadSystem !== undefined;
  // On a machine of their own the servers are read by its clock, a little before or after the generator.
  const serversNs = windowNs === null || !apart ? windowNs : (late!.system.cpusAtMs - early!.system.cpusAtMs) * 1e6;
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
  const shareOf = (window: number | null) => (ns: number | null, cpus = 1) =>
    ns === null || window === null ? null : ns / window / cpus;
  const [share, loadShare] = [shareOf(serversNs), shareOf(windowNs)];

  const serverSide = samples.serverCpus ?? [], loadSide = samples.loadCpus ?? [];
  /** Pinned CPUs of the servers' machine, and those of the generator's where that is another one. */
  const pinned = apart ? serverSide : [...new Set([...serverSide, ...loadSide])];
  const away = apart ? loadSide : [];
  const cpuDelta = (
    name: string,
    pick: "busyNs" | "stealNs" | "softirqNs",
    reduce: (values: number[]) => number,
    cpus: readonly number[] = pinned,
    others: readonly number[] = cpus === pinned ? away : [],
  ): number | null => {
    if (cpus.length + others.length === 0) {
      unreadable[name] = "processes are not pinned";
      return null;
    }
    const at = (sample: InnerSample | null) => [
      ...(cpus.length === 0 ? [] : [sample?.system.cpus ?? missing]),
      ...(others.length === 0 ? [] : [sample?.loadSystem?.cpus ?? missing]),
    ];
    const sides = [cpus, others].filter((side) => side.length > 0);
    return field(
      name,
      [...at(early), ...at(late)],
      (values) =>
        reduce(
          sides.flatMap((side, n) =>
            side.map((cpu) => (values[sides.length + n]!.get(cpu)?.[pick] ?? 0) - (values[n]!.get(cpu)?.[pick] ?? 0))
          ),
        ),
    );
  };
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const busyNs = cpuDelta("foreign_share", "busyNs", sum);
  // Never below nothing: what was stolen from an idle CPU counts as idle and as stolen.
  const coreNs = cpuDelta("core_share", "busyNs", (values) => Math.max(0, sum(values)), serverSide, []);
  const side = (cpus: readonly number[], others: readonly number[], own: number | null): CoreTimes | null => {
    const none = cpus.length + others.length === 0;
    const busy = none ? null : cpuDelta("softirq_in_cpu_time", "busyNs", sum, cpus, others);
    const soft = none ? null : cpuDelta("softirq_in_cpu_time", "softirqNs", sum, cpus, others);
    return busy === null || soft === null || own === null ? null : { busyNs: busy, ownNs: own, softirqNs: soft };
  };
  // On a core of both, what either used is no work of others.
  const shared = !apart && serverSide.some((cpu) => loadSide.includes(cpu));
  const beside = shared ? generatorNs ?? 0 : 0;
  const counts = told(
    "softirq_in_cpu_time",
    shared ? null : softirqInCpuTime([
      side(serverSide, [], serverNs),
      apart ? side([], loadSide, generatorNs) : side(loadSide, [], generatorNs),
    ]),
  );
  // Where they are kept apart, soft interrupts on the servers' cores are theirs all the same: packets of their requests.
  const besides = counts !== false ? 0 : cpuDelta("server_share", "softirqNs", sum, serverSide, []) ?? 0;
  const besidesAll = counts !== false ? 0 : cpuDelta("foreign_share", "softirqNs", sum) ?? 0;
  const servedNs = serverNs === null ? null : serverNs + besides;
  // The kernel's own threads write out and journal what the servers wrote.
  const kernelNs = (name: string, cpus: readonly number[], of: "system" | "loadSystem" = "system") =>
    field(
      name,
      [early?.[of]?.kernelThreads ?? missing, late?.[of]?.kernelThreads ?? missing],
      ([a, b]) => sum([...b!].map(([id, { cpu, cpuNs }]) => cpus.includes(cpu) ? cpuNs - (a!.get(id)?.cpuNs ?? 0) : 0)),
    );
  const neighboursNs = field(
    "generator_foreign_share",
    [early === null || late === null ? missing : neighboursOfGenerator(early, late, samples.loadCpus)],
    ([ns]) => ns!,
  );
  const serverCpus = samples.serverCpus?.length ?? 1;
  // Soft interrupts that came while the servers waited, for a disk say, are in nobody's time.
  const idle = servedNs === null || serversNs === null ? 0 : Math.max(0, 1 - servedNs / serversNs / serverCpus);
  const idleSoftirqNs = counts === false
    ? 0
    : idle * (cpuDelta("softirq_share", "softirqNs", sum, serverSide, []) ?? 0);
  const serverKernelNs = kernelNs("server_kernel_share", serverSide);
  const around = <T>(name: string, compute: (a: ProcessSample, b: ProcessSample) => T): T[] | null =>
    field(
      name,
      [...serversBefore, ...serversAfter],
      (values) => serversBefore.map((_, n) => compute(values[n]!, values[serversBefore.length + n]!)),
    );
  const serverCpuNs = serversAlong("server_cpu_ns", [serversBefore, ...inside, serversAfter]);
  const cpuWindowNs = field(
    "cpu_window_ns",
    [...serversBefore, ...serversAfter],
    (values) => {
      const times = values.map(({ atMs }) => atMs);
      return 1e6 * (Math.max(...times) - Math.min(...times));
    },
  );
  if (serverCpuNs === null) unreadable["server_cpu_ns_per_request"] = unreadable["server_cpu_ns"]!;
  else if (samples.requests === 0) unreadable["server_cpu_ns_per_request"] = "no requests";

  const sentAgain = delta("retransmits", systemBefore.retransmits, systemAfter.retransmits);
  // What the generator sent again is in the count of its own machine.
  const { loadBefore, loadAfter } = samples;
  const otherSide = loadBefore === undefined || loadAfter === undefined
    ? 0
    : delta("retransmits", loadBefore.retransmits, loadAfter.retransmits);
  const retransmits = sentAgain === null || otherSide === null ? null : sentAgain + otherSide;
  const againPerRequest = retransmits === null || samples.requests === 0 ? null : retransmits / samples.requests;

  const counters: Counters = {
    server_cpu_ns: serverCpuNs,
    server_cpu_ns_per_request: serverCpuNs === null || samples.requests === 0 ? null : serverCpuNs / samples.requests,
    cpu_window_ns: cpuWindowNs,
    server_share: share(servedNs, serverCpus),
    server_thread_share: share(busiestServer),
    generator_share: loadShare(busiest),
    core_share: share(coreNs, serverCpus),
    driver_share: early === null || late === null ? null : loadShare(late.driverCpuNs - early.driverCpuNs),
    share_window_ns: windowNs,
    moment_ns: coreNs === null ? null : 1e6 * Math.max(early?.tookMs ?? 0, part?.tookMs ?? 0, late?.tookMs ?? 0),
    server_wait_share: share(waitNs),
    steal_share: share(cpuDelta("steal_share", "stealNs", (values) => Math.max(...values))),
    foreign_share: busyNs === null || serverNs === null || generatorNs === null ? null : share(
      Math.max(
        0,
        busyNs - serverNs - generatorNs - besidesAll - (kernelNs("server_kernel_share", pinned) ?? 0) -
          (away.length === 0 ? 0 : kernelNs("foreign_share", away, "loadSystem") ?? 0),
      ),
    ),
    server_foreign_share: coreNs === null || servedNs === null
      ? null
      : share(Math.max(0, coreNs - servedNs - (serverKernelNs ?? 0) - beside - idleSoftirqNs), serverCpus),
    generator_foreign_share: loadShare(neighboursNs, samples.loadCpus?.length ?? 1),
    server_kernel_share: share(serverKernelNs, serverCpus),
    softirq_in_cpu_time: counts,
    loopback_bytes: loadBefore === undefined
      ? delta("loopback_bytes", systemBefore.loopbackBytes, systemAfter.loopbackBytes)
      : null,
    frequency_change: field(
      "frequency_change",
      [early?.system.khz ?? missing, late?.system.khz ?? missing],
      ([a, b]) =>
        Math.max(
          0,
          ...serverSide.flatMap((cpu) => {
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
    retransmits,
    throttled_ns: delta("throttled_ns", systemBefore.throttledNs, systemAfter.throttledNs),
    swapped_pages: delta("swapped_pages", systemBefore.swappedPages, systemAfter.swappedPages),
    ...(samples.link === undefined ? {} : { link: linkUse(samples.link, [early, late], serversNs, againPerRequest) }),
    unreadable,
  };
  if (loadBefore !== undefined) unreadable["loopback_bytes"] = "servers and load generator have a machine each";
  // A figure that rests on another one is lost with it.
  if (coreNs === null) {
    for (const name of ["server_foreign_share", "moment_ns"]) unreadable[name] ??= unreadable["core_share"]!;
  }
  for (const [name, value] of Object.entries(counters)) {
    if (value === null) {
      unreadable[name] ??= unreadable["share_window_ns"] ?? unreadable["generator_share"] ?? missing.unreadable;
    }
  }
  return counters;
}
