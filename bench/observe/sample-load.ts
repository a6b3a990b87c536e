import type { ServerLink } from "./counters/link.ts";
import type { HostSample, InnerSample, ServersSample } from "../record/samples.ts";
import { nowUs } from "../machine/clock.ts";
import type { Host } from "../pipe/host.ts";
import type { Link } from "../pipe/look-around.ts";
import type { SampleRequest } from "../machine/machine.ts";
import type { ServicesOn } from "./counters/inner-window.ts";

/** The time as results keep it: by the driver's clock. */
export const nowText = () => new Date(nowUs() / 1_000).toISOString();

/** The hosts of servers and load generator. */
export interface Hosts {
  readonly server: Host;
  /** The same object as the servers' host if one host has both. */
  readonly load: Host;
  /** The host of services: that of the servers by default. */
  readonly service: Host;
  /** The machine of the services, as CPU numbers and counters see it. */
  readonly servicesOn: ServicesOn;
  /** The host that sees server and generator processes, and reads them at once; null if no host sees both. */
  readonly reader: Host | null;
  /** True if these are two machines, whose CPU numbers and counters are unrelated. */
  readonly apart: boolean;
  /** Address servers listen on; loopback where it is left out. */
  readonly address?: string | undefined;
  /** The interface with that address if hosts were named: its load is measured. */
  readonly link?: Link | undefined;
  /** The interface services listen on, where a host or an address is given; loopback by default. */
  readonly serviceLink?: Link;
}

/** Processes to sample, and where they run. */
export interface SampledSite {
  readonly hosts: Hosts;
  /** Null for a server with an unknown process. */
  readonly serverPids: readonly (number | null)[];
  /** Processes of services; none by default. */
  readonly servicePids?: readonly (number | null)[];
  /** The interface servers listen on, if its traffic is measured. */
  readonly link?: ServerLink | undefined;
}

/**
 * Reads both sides at one moment, the servers first: in one go where one host sees them all, else each host once. Each has
 * the time in which both were read, in milliseconds of the driver's clock.
 */
export async function sampleBoth(
  { server, load, reader }: Hosts,
  servers: SampleRequest["pids"],
  generator: SampleRequest["pids"],
  what: Omit<SampleRequest, "pids">,
): Promise<{ readonly server: HostSample; readonly load: HostSample }> {
  if (reader !== null) {
    const sample = await reader.sample({ ...what, pids: [...servers, ...generator] });
    const part = (from: number, to?: number): HostSample => ({
      ...sample,
      processes: sample.processes.slice(from, to),
      sizes: sample.sizes.slice(from, to),
    });
    return { server: part(0, servers.length), load: part(servers.length) };
  }
  const started = performance.now();
  const [ofServers, ofLoad] = await Promise.all([
    server.sample({ ...what, pids: servers }),
    load.sample({ ...what, pids: generator }),
  ]);
  const tookMs = performance.now() - started;
  return { server: { ...ofServers, tookMs }, load: { ...ofLoad, tookMs } };
}

/** Servers and systems just before a load, or just after it. */
export async function sampleAround({ hosts, serverPids }: SampledSite) {
  const { server, load } = await sampleBoth(hosts, serverPids, [], { what: "counts" });
  return {
    servers: server.processes,
    system: server.counts!,
    loadSystem: hosts.apart ? load.counts! : undefined,
  };
}

/** Reads the servers of a load, and nothing else. */
export async function sampleServers({ hosts, serverPids }: SampledSite): Promise<ServersSample> {
  const { server, load } = await sampleBoth(hosts, serverPids, [], { what: "processes" });
  return { servers: server.processes, tookMs: server.tookMs, atUs: load.atUs };
}

/** Reads both sides of a load, the systems around them and the driver itself. */
export async function sampleLoad(
  { hosts, serverPids, servicePids = [], link }: SampledSite,
  generatorPid: number,
): Promise<InnerSample> {
  const driver = process.cpuUsage();
  const elsewhere = hosts.service !== hosts.server && servicePids.length > 0;
  const [{ server, load }, ofServices] = await Promise.all([
    sampleBoth(hosts, elsewhere ? serverPids : [...serverPids, ...servicePids], [generatorPid], {
      what: "cpus",
      links: link !== undefined,
    }),
    elsewhere ? hosts.service.sample({ pids: servicePids, what: "processes" }) : null,
  ]);
  return {
    servers: server.processes.slice(0, serverPids.length),
    ...(servicePids.length === 0
      ? {}
      : { services: ofServices?.processes ?? server.processes.slice(serverPids.length) }),
    generator: load.processes[0]!,
    system: server.cpus!,
    ...(hosts.apart ? { loadSystem: load.cpus! } : {}),
    tookMs: server.tookMs,
    driverCpuNs: (driver.user + driver.system) * 1000 + server.agentCpuNs + (ofServices?.agentCpuNs ?? 0) +
      (hosts.reader === null ? load.agentCpuNs : 0),
    atUs: load.atUs,
  };
}
