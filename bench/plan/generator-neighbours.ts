import type { InnerSample, Reading } from "../record/samples.ts";
import type { ServicesOn } from "./inner-window.ts";

/**
 * CPU time between two moments of threads that are neither servers' nor generator's, on the generator's CPUs, in
 * nanoseconds. Summed over the threads themselves: what its core was busy with besides also holds interrupts, which an idle
 * core of a virtual machine is charged with (measured: 5 to 12 % of a core with nobody else there). A thread counts on the
 * CPU it ran on last; one that began and ended between the moments is missed.
 */
export function neighboursOfGenerator(
  early: InnerSample,
  late: InnerSample,
  cpus: readonly number[] | null,
  servicesOn: ServicesOn,
): Reading<number> {
  if (cpus === null) return { unreadable: "processes are not pinned" };
  const [from, to] = [early, late].map(({ system, loadSystem = system }) => loadSystem.otherThreads);
  const own = new Set<number>();
  for (const { generator, servers, services = [], loadSystem } of [early, late]) {
    const beside = [...(loadSystem === undefined ? servers : []), ...(servicesOn.load ? services : [])];
    for (const process of [generator, ...beside]) {
      if ("unreadable" in process) return process;
      for (const id of process.value.threads.keys()) own.add(id);
    }
  }
  if ("unreadable" in from!) return from;
  if ("unreadable" in to!) return to;
  let sum = 0;
  for (const [id, { cpu, cpuNs }] of to!.value) {
    // A thread that was not there, or whose id was another's, began at nothing.
    if (cpus.includes(cpu) && !own.has(id)) sum += Math.max(0, cpuNs - (from!.value.get(id)?.cpuNs ?? 0));
  }
  return { value: sum };
}
