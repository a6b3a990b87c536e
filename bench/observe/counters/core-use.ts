import { type InnerSample, type Reading, valueOf } from "../../record/samples.ts";
import { sum } from "../../statistics/variation.ts";
import { cpuFigure, type InnerWindow, type ServicesOn, shareOf } from "./inner-window.ts";
import type { ProcessUse } from "./process-use.ts";
import { MISSING } from "./readings.ts";

/**
 * Returns the shares of CPUs that servers, the kernel and other processes used inside the window. Times are of the
 * servers' machine unless their name says otherwise.
 */
export function coreUse(
  window: InnerWindow,
  { serverNs, generatorNs, serviceNs, serviceCores, busiestService }: ProcessUse,
) {
  const { readings, early, late, serversNs, serverSide, loadSide, pinned, away, apart } = window;
  const all = { cpus: pinned, others: away }, servers = { cpus: serverSide };
  const serverCpus = window.serverCpus?.length ?? 1;
  const share = (ns: number | null, cpus?: number) => shareOf(serversNs, ns, cpus);
  const busyNs = cpuFigure(window, "foreign_share", "busyNs", all);
  // At least 0: time stolen from an idle CPU counts as idle and as stolen.
  const coreNs = cpuFigure(window, "core_share", "busyNs", servers, (values) => Math.max(0, sum(values)));
  // On a core that both sides share, neither side's use counts as other processes' work.
  const shared = !apart && serverSide.some((cpu) => loadSide.includes(cpu));
  const serviceCpus = window.serviceCpus ?? [];
  const servicesOn = (side: "servers" | "load", cpus: readonly number[]) =>
    window.servicesOn[side] && serviceCpus.some((cpu) => cpus.includes(cpu)) ? serviceNs ?? 0 : 0;
  const besideLoadNs = servicesOn("load", loadSide);
  const counts = readings.reported(
    "softirq_in_cpu_time",
    shared ? null : softirqCounts(window, serverNs, generatorNs === null ? null : generatorNs + besideLoadNs),
  );
  // Soft interrupts on the servers' cores belong to the servers even if accounted apart: they are packets of their
  // requests.
  const softirqNs = (name: string, sides: typeof all | typeof servers) =>
    counts === false ? cpuFigure(window, name, "softirqNs", sides) ?? 0 : 0;
  const servedNs = serverNs === null ? null : serverNs + softirqNs("server_share", servers);
  const packetsNs = softirqNs("foreign_share", all);
  const neighboursNs = readings.figure(
    "generator_foreign_share",
    [
      early === null || late === null
        ? MISSING
        : neighboursOfGenerator(early, late, window.loadCpus, window.servicesOn),
    ],
    ([ns]) => ns!,
  );
  // Soft interrupts while the servers waited, for a disk say, belong to no process.
  const idle = servedNs === null || serversNs === null ? 0 : Math.max(0, 1 - servedNs / serversNs / serverCpus);
  const idleNs = counts === false ? 0 : idle * (cpuFigure(window, "softirq_share", "softirqNs", servers) ?? 0);
  const kernelNs = kernelThreadsNs(window, "server_kernel_share", serverSide);
  const ofOthersNs = coreNs === null || servedNs === null ? null : Math.max(
    0,
    coreNs - servedNs - (kernelNs ?? 0) - (shared ? generatorNs ?? 0 : 0) - servicesOn("servers", serverSide) - idleNs,
  );
  const kernelsNs = () =>
    (kernelThreadsNs(window, "server_kernel_share", pinned) ?? 0) +
    (away.length === 0 ? 0 : kernelThreadsNs(window, "foreign_share", away, "loadSystem") ?? 0);
  const foreignNs = busyNs === null || serverNs === null || generatorNs === null ? null : Math.max(
    0,
    busyNs - serverNs - generatorNs - packetsNs - kernelsNs() - servicesOn("servers", pinned) -
      servicesOn("load", away),
  );
  if (coreNs === null) loseWithCoreShare(window);
  const most = (values: number[]) => Math.max(...values);
  return {
    server_share: share(servedNs, serverCpus),
    core_share: share(coreNs, serverCpus),
    ...(countsDisk(early) ? { disk_share: share(cpuFigure(window, "disk_share", "diskNs", servers), serverCpus) } : {}),
    steal_share: share(cpuFigure(window, "steal_share", "stealNs", all, most)),
    softirq_share: share(cpuFigure(window, "softirq_share", "softirqNs", all, most)),
    foreign_share: share(foreignNs),
    server_foreign_share: share(ofOthersNs, serverCpus),
    generator_foreign_share: shareOf(window.windowNs, neighboursNs, window.loadCpus?.length ?? 1),
    server_kernel_share: share(kernelNs, serverCpus),
    ...(early?.services === undefined ? {} : {
      // A service of one thread is busy when that thread is, on however many CPUs.
      service_share: serviceCores === null || busiestService === null
        ? null
        : Math.max(serviceCores / Math.max(1, serviceCpus.length), busiestService),
      ...(besideLoadNs === 0 || generatorNs === null
        ? {}
        : { load_core_share: share(besideLoadNs + generatorNs, loadSide.length) }),
    }),
    softirq_in_cpu_time: counts,
    frequency_change: frequencyChange(window),
    moment_ns: coreNs === null ? null : 1e6 * Math.max(early?.tookMs ?? 0, window.part?.tookMs ?? 0, late?.tookMs ?? 0),
  };
}

/** True if the servers' system counts how long its CPUs waited for disks. */
function countsDisk(sample: InnerSample | null): boolean {
  const cpus = sample === null ? null : valueOf(sample.system.cpus);
  return [...cpus?.values() ?? []].some(({ diskNs }) => diskNs !== undefined);
}

/** Gives figures that need `core_share` the reason for which it is unreadable. */
function loseWithCoreShare({ readings: { unreadable } }: InnerWindow): void {
  for (const name of ["server_foreign_share", "moment_ns"]) unreadable[name] ??= unreadable["core_share"]!;
}

function softirqCounts(window: InnerWindow, serverNs: number | null, generatorNs: number | null): boolean | null {
  const { serverSide, loadSide, apart } = window;
  const side = (cpus: readonly number[], others: readonly number[], ownNs: number | null): CoreTimes | null => {
    if (cpus.length + others.length === 0) return null;
    const busyNs = cpuFigure(window, "softirq_in_cpu_time", "busyNs", { cpus, others });
    const softirqNs = cpuFigure(window, "softirq_in_cpu_time", "softirqNs", { cpus, others });
    return busyNs === null || softirqNs === null || ownNs === null ? null : { busyNs, ownNs, softirqNs };
  };
  return softirqInCpuTime([
    side(serverSide, [], serverNs),
    apart ? side([], loadSide, generatorNs) : side(loadSide, [], generatorNs),
  ]);
}

/** CPU time of kernel threads, which write out and journal the servers' data. */
function kernelThreadsNs(
  { readings, early, late }: InnerWindow,
  name: string,
  cpus: readonly number[],
  of: "system" | "loadSystem" = "system",
): number | null {
  return readings.figure(
    name,
    [early?.[of]?.kernelThreads ?? MISSING, late?.[of]?.kernelThreads ?? MISSING],
    ([a, b]) => sum([...b!].map(([id, { cpu, cpuNs }]) => cpus.includes(cpu) ? cpuNs - (a!.get(id)?.cpuNs ?? 0) : 0)),
  );
}

/** The largest change of a clock rate of the servers' CPUs, as a share. */
function frequencyChange({ readings, early, late, serverSide }: InnerWindow): number | null {
  return readings.figure(
    "frequency_change",
    [early?.system.khz ?? MISSING, late?.system.khz ?? MISSING],
    ([a, b]) =>
      Math.max(
        0,
        ...serverSide.flatMap((cpu) => {
          const [from, to] = [a!.get(cpu), b!.get(cpu)];
          return from === undefined || to === undefined || from === 0 ? [] : Math.abs(to / from - 1);
        }),
      ),
  );
}

/**
 * CPU time between two moments of threads that are neither servers' nor generator's, on the generator's CPUs, in
 * nanoseconds. Summed over the threads themselves: what its core was busy with besides also holds interrupts, which an idle
 * core of a virtual machine is charged with (measured: 5 to 12 % of a core with nobody else there). A thread counts on the
 * CPU it ran on last; one that began and ended between the moments is missed.
 */
function neighboursOfGenerator(
  early: InnerSample,
  late: InnerSample,
  cpus: readonly number[] | null,
  servicesOn: ServicesOn,
): Reading<number> {
  if (cpus === null) return { unreadable: "processes are not pinned" };
  const [from, to] = [early, late].map(({ system, loadSystem = system }) => loadSystem.otherThreads);
  const threads = new Set<number>();
  for (const { generator, servers, services = [], loadSystem } of [early, late]) {
    const sharing = [...(loadSystem === undefined ? servers : []), ...(servicesOn.load ? services : [])];
    for (const process of [generator, ...sharing]) {
      if ("unreadable" in process) return process;
      for (const id of process.value.threads.keys()) threads.add(id);
    }
  }
  if ("unreadable" in from!) return from;
  if ("unreadable" in to!) return to;
  let sum = 0;
  for (const [id, { cpu, cpuNs }] of to!.value) {
    // A new thread, or a reused id, began at 0.
    if (cpus.includes(cpu) && !threads.has(id)) sum += Math.max(0, cpuNs - (from!.value.get(id)?.cpuNs ?? 0));
  }
  return { value: sum };
}

/** Busy time of some cores, of the processes meant to be on them, and in soft interrupts, in nanoseconds. */
interface CoreTimes {
  readonly busyNs: number;
  readonly ownNs: number;
  readonly softirqNs: number;
}

/** Share of the busy time from which soft interrupts say something, and how well they must fill the gap. */
const LEAST_SOFTIRQ = 0.05;
const FIT = 0.25;

/**
 * Returns true if CPU time of processes includes the soft interrupts that served them. Most kernels charge these to the
 * running process. With CONFIG_IRQ_TIME_ACCOUNTING a kernel accounts them apart, and a busy server seems idle for as
 * long. They are apart if exactly they are missing between busy cores and the processes on them, on the servers' side
 * and on the generator's. Other work would have to equal them by chance, twice.
 */
export function softirqInCpuTime(sides: readonly (CoreTimes | null)[]): boolean | null {
  const measured = sides.filter((side) =>
    side !== null && side.softirqNs >= LEAST_SOFTIRQ * side.busyNs
  ) as CoreTimes[];
  if (measured.length < 2) return null;
  return !measured.every(({ busyNs, ownNs, softirqNs }) => Math.abs(busyNs - ownNs - softirqNs) < FIT * softirqNs);
}
