import type { Grade } from "../record/finding.ts";
import { usageError } from "../basics/errors.ts";
import { shellWords } from "../basics/shell.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Host } from "../pipe/host.ts";
import type { HostOptions } from "../plan/plan-actions.ts";
import type { HostFacts, Link } from "../pipe/look-around.ts";
import { ourHello } from "../pipe/greet-agent.ts";
import { localHost } from "../pipe/local-host.ts";
import { remoteHost } from "../pipe/remote-host.ts";
import { LAUNCHER } from "../runtimes/project-folders.ts";
import { clearUp } from "../process/scratch-folder.ts";
import { hostsHere } from "./equip.ts";
import type { Hosts } from "./sample-load.ts";

/**
 * Connects the hosts of a run, on a machine where nothing is left of benches that were killed. Throws a failure where one
 * cannot be reached, a usage error where they do not fit.
 */
export async function connectHosts(options: HostOptions): Promise<Hosts> {
  clearUp();
  if (Object.values(options).every((each) => each === undefined)) return hostsHere();
  const known = new Map<string | undefined, Host>();
  const hostOf = async (option: string, command: string | undefined) => {
    const host = known.get(command) ?? (command === undefined ? localHost() : await connect(option, command));
    known.set(command, host);
    return host;
  };
  const server = await hostOf("--server-host", options.server);
  const load = await hostOf("--load-host", options.load);
  const service = options.service === undefined ? server : await hostOf("--service-host", options.service);
  const [serverFacts, loadFacts, serviceFacts] = [await server.facts(), await load.facts(), await service.facts()];
  const link = reachable("server", serverFacts, options.address, "the load generator's host", loadFacts);
  const services = options.service !== undefined || options.serviceAddress !== undefined;
  return {
    server,
    load,
    service,
    reader: readerOf({ server, load }, serverFacts, loadFacts),
    apart: areApart(serverFacts, loadFacts),
    servicesOn: { servers: !areApart(serviceFacts, serverFacts), load: !areApart(serviceFacts, loadFacts) },
    address: link.address,
    link,
    ...(services
      ? { serviceLink: reachable("service", serviceFacts, options.serviceAddress, "the servers' host", serverFacts) }
      : {}),
  };
}

/** Connects hosts, does something on them, and ends whatever they run still, however that went. */
export async function onHosts<T>(options: HostOptions, work: (hosts: Hosts) => Promise<T>): Promise<T> {
  const hosts = await connectHosts(options);
  try {
    return await work(hosts);
  } finally {
    await closeHosts(hosts);
  }
}

/** The hosts of a run, to continue it there. */
export function hostOptionsOf({ hosts }: Pick<RunRecord, "hosts">): HostOptions {
  if (hosts === undefined) return {};
  const { service } = hosts;
  return {
    server: hosts.server ?? undefined,
    load: hosts.load ?? undefined,
    address: hosts.address,
    ...(service === undefined ? {} : { service: service.host ?? undefined, serviceAddress: service.address }),
  };
}

const areApart = (server: HostFacts, load: HostFacts) => server.machineId !== load.machineId;

/** The host that sees server and generator processes and reads them at once; null if no host sees both. */
export function readerOf(
  { server, load }: Pick<Hosts, "server" | "load">,
  serverFacts: HostFacts,
  loadFacts: HostFacts,
): Hosts["reader"] {
  // On two networks the counters of each side are read there, even if one side sees all processes.
  const seen = !areApart(serverFacts, loadFacts) && serverFacts.processSpace !== null &&
    serverFacts.processSpace === loadFacts.processSpace;
  // Reading this machine directly is cheaper than through an agent.
  return server === load || seen ? (load.command === null ? load : server) : null;
}

async function connect(option: string, command: string): Promise<Host> {
  const words = shellWords(command);
  if (words === null || words.length === 0) {
    throw usageError(`${option} "${command}" is no command`, `quote it whole: ${option} 'ssh box1'`);
  }
  const agent = words.at(-1) === "agent" ? [] : [LAUNCHER, "agent", "--no-config"];
  return await remoteHost([...words, ...agent], command, ourHello());
}

const addressesOf = ({ links }: HostFacts) => links.map(({ address }) => address).join(", ");

/** The interface servers or services listen on. Throws a usage error where those who ask them cannot reach it. */
function reachable(
  what: "server" | "service",
  facts: HostFacts,
  address: string | undefined,
  askers: string,
  askersFacts: HostFacts,
): Link {
  const wanted = address ?? "127.0.0.1";
  const found = facts.links.find((link) => wanted === "auto" ? !link.loopback : link.address === wanted);
  if (found === undefined) {
    throw usageError(
      wanted === "auto"
        ? `the ${what}s' host has no address that others reach`
        : `the ${what}s' host has no address "${wanted}"`,
      `it has ${addressesOf(facts)}`,
    );
  }
  if (!found.loopback || !areApart(facts, askersFacts)) return found;
  throw usageError(
    `${what}s would listen on ${found.address}, where ${askers} cannot reach them`,
    `--${what}-address auto, or one of ${addressesOf(facts)}`,
  );
}

/** Each host of a run once. */
const eachOf = ({ server, load, service }: Hosts): readonly Host[] => [...new Set([server, load, service])];

/** Returns the grade of a run on these hosts: that of the worse one. */
export async function gradeOn(hosts: Hosts): Promise<Grade> {
  const grades = await Promise.all(eachOf(hosts).map(async (host) => (await host.facts()).grade));
  const order: readonly Grade["grade"][] = ["advisory", "shared", "dedicated"];
  return grades.toSorted((a, b) => order.indexOf(a.grade) - order.indexOf(b.grade))[0]!;
}

/** Ends everything hosts still run, and the ways to them. */
export async function closeHosts(hosts: Hosts): Promise<void> {
  for (const host of eachOf(hosts)) await host.close();
}

/** Returns why a run cannot continue: the given name of a host that is gone; null if all are there. */
export function lostHost(hosts: Hosts): string | null {
  const gone = eachOf(hosts).find((host) => host.lost() !== null);
  return gone === undefined ? null : `host "${gone.command}" is gone: ${gone.lost()}`;
}
