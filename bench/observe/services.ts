import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServices, ServerSpec, ServiceSpec } from "../../suites/suite.ts";
import { errorLine } from "../basics/error-line.ts";
import { mark } from "../record/mark.ts";
import { cpuNs } from "./counters/cpu-time.ts";
import { within } from "../machine/clock.ts";
import type { HostServer } from "../pipe/host.ts";
import type { ServiceUse } from "../record/server-schema.ts";
import { Stopped } from "./stopped.ts";
import type { Hosts } from "./sample-load.ts";
import type { Site } from "./site.ts";

/** A service of one server. */
export interface RunningService {
  readonly name: string;
  readonly server: HostServer & { readonly service: NonNullable<HostServer["service"]> };
  /** Returns the number of its open connections; null if its host does not report it. */
  connections(): Promise<number | null>;
}

/** Starts the services of a server, one after the other. Throws {@link Stopped} if one fails, and leaves none. */
export async function startServices(
  specs: readonly ServiceSpec[],
  site: Pick<Site, "hosts" | "serviceCpus" | "priority" | "servicesWrk" | "onStart">,
): Promise<RunningService[]> {
  const started: RunningService[] = [];
  const { server: servers, service: host, serviceLink } = site.hosts;
  const beyond = serviceLink === undefined || serviceLink.loopback
    ? {}
    : { hostname: serviceLink.address, clients: (await servers.facts()).links.map(({ address }) => address) };
  for (const spec of specs) {
    const server = await host.serve({
      spec,
      runtime: null,
      cpus: site.serviceCpus,
      raised: site.priority.nice !== null,
      ...(site.servicesWrk === undefined ? {} : { wrk: site.servicesWrk }),
      ...beyond,
      onStart: site.onStart,
    });
    if ("url" in server && server.service !== undefined) {
      const { service } = server;
      const connections = () => host.connectionsAt(service.port).catch(() => null);
      started.push({ name: spec.name, server: { ...server, service }, connections });
      continue;
    }
    await stopServices(started, site);
    if ("unsupported" in server) {
      const { unsupported, install } = server;
      throw new Stopped([mark("unsupported", install === undefined ? unsupported : `${unsupported}; try: ${install}`)]);
    }
    throw "failed" in server
      ? new Stopped([server.failed], server.stderr)
      : new RangeError(`"${spec.name}" is no service`);
  }
  return started;
}

/** Ends services, the last one first. */
export async function stopServices(
  services: readonly RunningService[],
  { hosts }: { readonly hosts: Pick<Hosts, "service"> },
): Promise<void> {
  for (const { server } of services.toReversed()) await hosts.service.stop(server);
}

/** The number and interval of looks for a service to see that its server has ended: eight seconds. */
const SEES_END_LOOKS = 80, SEES_END_EVERY_MS = 100;

/**
 * Connections still open at each of some services whose server has ended; null where none is reported.
 *
 * @param looks how often it is looked for the last one to close
 */
export async function leftOpen(
  services: readonly RunningService[],
  looks: number = SEES_END_LOOKS,
): Promise<(number | null)[]> {
  for (let look = 1;; look++) {
    const left = await Promise.all(services.map((each) => each.connections()));
    if (!left.some(Boolean) || look >= looks) return left;
    await sleep(SEES_END_EVERY_MS);
  }
}

/** Variables with which a server finds its services. */
export const serviceAddresses = (services: readonly RunningService[]): RunningServices =>
  Object.fromEntries(
    services.map(({ name, server }) => [name, { host: new URL(server.url).hostname, port: server.service.port }]),
  );

/** The same server with the variables by which its services let it in: a command line would show them, and none is kept. */
export function withServiceAccess<Spec extends ServerSpec>(spec: Spec, services: readonly RunningService[]): Spec {
  const env = Object.assign({}, ...services.map(({ server }) => server.service.env)) as Record<string, string>;
  return spec.kind === "running" || Object.keys(env).length === 0 ? spec : { ...spec, env: { ...env, ...spec.env } };
}

/** Returns the facts of a service for results. */
export const serviceFactsOf = async (
  { name, server }: RunningService,
  { serviceCpus, hosts }: Pick<Site, "serviceCpus" | "hosts">,
) => ({
  name,
  version: server.service.version,
  facts: { ...server.service.facts },
  cpus: serviceCpus && [...serviceCpus],
  startup_ms: server.startupMs,
  ...(hosts.serviceLink === undefined ? {} : { round_trip_us: await hosts.server.roundTripUs(server.url) }),
});

/** Returns which service has ended, in words; null while all run. */
export async function endedService(services: readonly RunningService[]): Promise<string | null> {
  for (const { name, server: { process } } of services) {
    if (process === null) continue;
    const ending = await within(1, process.ended);
    if (ending === "timeout") continue;
    const how = "failed" in ending ? ending.failed : ending.signal ?? `exit ${ending.code}`;
    const lastError = errorLine(process.stderrTail());
    return `service "${name}" ended with ${how}${lastError === null ? "" : `: ${lastError}`}`;
  }
  return null;
}

/** Reads the use of services so far; the returned function gives the difference since then. */
export async function readServices(services: readonly RunningService[], { hosts }: Pick<Site, "hosts">) {
  const read = async () => {
    const pids = services.map(({ server }) => server.pid);
    const { processes } = await hosts.service.sample({ pids, what: "processes" });
    const counts: (Record<string, number> | null)[] = [];
    for (const { server: { service } } of services) {
      counts.push(service.counts === undefined ? null : await hosts.service.countsAt(service.counts));
    }
    return { processes, counts, open: await Promise.all(services.map((each) => each.connections())) };
  };
  const before = services.length === 0 ? null : await read();
  /** @param requests the server was sent meanwhile */
  return async (requests: number): Promise<ServiceUse[]> => {
    if (before === null) return [];
    const after = await read();
    return services.map(({ name }, n) => {
      const [from, to] = [before.counts[n]!, after.counts[n]!];
      const [open, later] = [before.open[n]!, after.open[n]!];
      return {
        name,
        requests,
        cpu_ns: cpuNs(before.processes[n]!, after.processes[n]!),
        ...(open === null || later === null ? {} : { connections: { before: open, after: later } }),
        ...(from === null || to === null
          ? {}
          : { counts: Object.fromEntries(Object.entries(to).map(([key, value]) => [key, value - (from[key] ?? 0)])) }),
      };
    });
  };
}
