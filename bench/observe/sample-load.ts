import type { InnerSample } from "../core/counters.ts";
import type { ProcessSample, Reading } from "../core/samples.ts";
import type { LoadSite } from "./measure-load.ts";

/** Everything read of one moment of a load. */
export type LoadSample = InnerSample & {
  /** Wall clock in microseconds. */
  readonly atUs: number;
};

/** The wall clock in microseconds. */
export const nowUs = () => 1_000 * (performance.timeOrigin + performance.now());

/** The same as results keep it: of one process, so that a clock that is set makes no two of its steps overlap. */
export const nowText = () => new Date(nowUs() / 1_000).toISOString();

/** Reads the servers of a load. */
export function sampleServers({ machine, serverPids }: LoadSite): Reading<ProcessSample>[] {
  return serverPids.map((pid) =>
    pid === null ? { unreadable: "its process is not known" } : machine.sampleProcess(pid)
  );
}

/** Reads both sides of a load, the system around them and the driver itself. */
export function sampleLoad(site: LoadSite, generatorPid: number): LoadSample {
  const driver = process.cpuUsage();
  return {
    servers: sampleServers(site),
    generator: site.machine.sampleProcess(generatorPid),
    system: site.machine.sampleSystem(),
    driverCpuNs: (driver.user + driver.system) * 1000,
    atUs: nowUs(),
  };
}
