import { type Counters, countersOf, cpuNs, type InnerSample } from "../core/counters.ts";
import { valueOf } from "../core/samples.ts";
import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import type { Machine } from "../host/machine.ts";
import { type GeneratorSite, startLoad } from "./load-process.ts";

/** Where inside the window shares are read: after the generator's start, before its end. */
const EARLY = 0.15;
const LATE = 0.9;
/** Where a window is parted to see whether servers were warm: what comes before and after is compared. */
const PART = 1 / 3;

/** CPU time of one server in a window. */
export interface ServerCpu {
  /** In the whole window, in nanoseconds; null where it cannot be read. */
  readonly cpuNs: number | null;
  /** In the window's first third and from there up to 90 % of it; null where not sampled. */
  readonly parts: readonly [headNs: number, tailNs: number] | null;
}

/** A finished load with what the system showed of it. */
export interface MeasuredLoad {
  readonly result: LoadResult;
  readonly counters: Counters;
  /** In the order of the process ids. */
  readonly servers: readonly ServerCpu[];
  /** Moments between the parts and at their end, on the wall clock in microseconds; null where not sampled. */
  readonly partsAtUs: readonly [number, number] | null;
  /** CPUs each generator thread may use, read back; null where it cannot be read. */
  readonly generatorThreadCpus: readonly string[] | null;
}

/** The servers under load and where both sides run. */
export interface LoadSite extends GeneratorSite {
  readonly machine: Machine;
  /** Null for one whose process is not known. */
  readonly serverPids: readonly (number | null)[];
  readonly serverCpus: readonly number[] | null;
  /** Told of each generator process, so that an interrupt can end it. */
  readonly onStart: (kill: () => void) => void;
}

/** Puts a load on servers and reads the system before, three times during and after it. Between those moments it sleeps. */
export async function measureLoad(plan: LoadPlan, site: LoadSite): Promise<MeasuredLoad | { failed: string }> {
  const { machine, serverPids } = site;
  const sampleServers = () =>
    serverPids.map((pid) => pid === null ? { unreadable: "its process is not known" } : machine.sampleProcess(pid));
  const systemBefore = machine.sampleSystem();
  const serversBefore = sampleServers();
  const load = startLoad(site, plan);
  site.onStart(() => load.child.kill("SIGKILL"));

  type Sample = InnerSample & { readonly atUs: number };
  const sample = (): Sample => {
    const driver = process.cpuUsage();
    return {
      servers: sampleServers(),
      generator: machine.sampleProcess(load.child.pid),
      system: machine.sampleSystem(),
      driverCpuNs: (driver.user + driver.system) * 1000,
      atUs: 1_000 * (performance.timeOrigin + performance.now()),
    };
  };
  const inner: { early: Sample | null; part: Sample | null; late: Sample | null } = {
    early: null,
    part: null,
    late: null,
  };
  let threadCpus: readonly string[] | null = null;
  const timers = [
    setTimeout(() => {
      threadCpus = valueOf(machine.threadCpus(load.child.pid));
      inner.early = sample();
    }, plan.durationMs * EARLY),
    setTimeout(() => inner.part = sample(), plan.durationMs * PART),
    setTimeout(() => inner.late = sample(), plan.durationMs * LATE),
  ];
  const result = await load.result;
  for (const timer of timers) clearTimeout(timer);
  if ("failed" in result) return result;

  const serversAfter = sampleServers();
  const systemAfter = machine.sampleSystem();
  const { early, part, late } = inner;
  const servers = serverPids.map((_, n): ServerCpu => {
    const head = part && cpuNs(serversBefore[n]!, part.servers[n]!);
    const tail = part && late && cpuNs(part.servers[n]!, late.servers[n]!);
    return {
      cpuNs: cpuNs(serversBefore[n]!, serversAfter[n]!),
      parts: head === null || tail === null ? null : [head, tail],
    };
  });
  const counters = countersOf({
    serversBefore,
    serversAfter,
    systemBefore,
    systemAfter,
    early,
    late,
    serverCpus: site.serverCpus,
    loadCpus: site.loadCpus,
    requests: result.requests,
  });
  return {
    result,
    counters,
    servers,
    partsAtUs: part && late && [part.atUs, late.atUs],
    generatorThreadCpus: threadCpus,
  };
}
