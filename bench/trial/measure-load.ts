import type { Generator, LoadPlan, LoadResult } from "../generators/generator.ts";
import { type Counters, countersOf, type InnerSample } from "../core/counters.ts";
import { valueOf } from "../core/samples.ts";
import type { Machine } from "../host/machine.ts";
import { startLoad } from "./load-process.ts";

/** Where inside the window shares are read: after the generator's start, before its end. */
const EARLY = 0.15;
const LATE = 0.9;

/** A finished load with what the system showed of it. */
export interface MeasuredLoad {
  readonly result: LoadResult;
  readonly counters: Counters;
  /** CPUs each generator thread may use, read back; null where it cannot be read. */
  readonly generatorThreadCpus: readonly string[] | null;
}

/** The server under load and where both sides run. */
export interface LoadSite {
  readonly machine: Machine;
  readonly serverPid: number;
  readonly serverCpus: readonly number[] | null;
  readonly loadCpus: readonly number[] | null;
  /** Path of the generator's program. */
  readonly program: string;
  /** Told of each generator process, so that an interrupt can end it. */
  readonly onStart: (kill: () => void) => void;
}

/** Puts a load on a server and reads the system before, twice during and after it. Between those moments it sleeps. */
export async function measureLoad(
  generator: Generator,
  plan: LoadPlan,
  site: LoadSite,
): Promise<MeasuredLoad | { failed: string }> {
  const { machine, serverPid } = site;
  const systemBefore = machine.sampleSystem();
  const serverBefore = machine.sampleProcess(serverPid);
  const load = startLoad(generator, site.program, plan, site.loadCpus);
  site.onStart(() => load.child.kill("SIGKILL"));

  const inner: { early: InnerSample | null; late: InnerSample | null } = { early: null, late: null };
  let threadCpus: readonly string[] | null = null;
  const sample = (): InnerSample => {
    const driver = process.cpuUsage();
    return {
      server: machine.sampleProcess(serverPid),
      generator: machine.sampleProcess(load.child.pid),
      system: machine.sampleSystem(),
      driverCpuNs: (driver.user + driver.system) * 1000,
    };
  };
  const timers = [
    setTimeout(() => {
      threadCpus = valueOf(machine.threadCpus(load.child.pid));
      inner.early = sample();
    }, plan.durationMs * EARLY),
    setTimeout(() => inner.late = sample(), plan.durationMs * LATE),
  ];
  const result = await load.result;
  for (const timer of timers) clearTimeout(timer);
  if ("failed" in result) return result;

  const serverAfter = machine.sampleProcess(serverPid);
  const systemAfter = machine.sampleSystem();
  const counters = countersOf({
    serverBefore,
    serverAfter,
    systemBefore,
    systemAfter,
    ...inner,
    peakRssBytes: machine.peakRssBytes(serverPid),
    serverCpus: site.serverCpus,
    loadCpus: site.loadCpus,
    requests: result.requests,
  });
  return { result, counters, generatorThreadCpus: threadCpus };
}
