import { join } from "node:path";
import type { HostSample } from "../record/samples.ts";
import { type HostFacts, lookForProgram, type ProgramQuery, readHostFacts, roundTripUs } from "./look-around.ts";
import { holdingsOf } from "../machine/holdings.ts";
import { connectionsAt } from "../machine/listening-ports.ts";
import { waitsOf } from "../machine/peers.ts";
import { type Machine, type SampleRequest, takeSample } from "../machine/machine.ts";
import { sizeOfAll } from "../machine/server-processes.ts";
import { checkOutRevision, type Revision } from "../sources/revision.ts";
import { countsAt, type WorkerReport, workersAt, type WorkersQuery, workersUse } from "../process/workers.ts";
import { fileSha256, type RuntimeBinary } from "../runtimes/runtimes.ts";
import { sameRuntimes } from "../sources/resolve-runtimes.ts";
import { type SourceLocation, sourcesHere } from "../sources/source-hash.ts";
import { thisMachine } from "../machine/this-machine.ts";

/** The state behind operations on this host. */
interface Here {
  machine(): Machine;
  facts(): HostFacts;
  /** An agent's folder of files built for servers; null in the driver itself. */
  readonly agentData: string | null;
}

/** This process, as operations need it. */
export function here(agentData: string | null): Here {
  let machine: Machine | undefined, facts: HostFacts | undefined;
  const site: Here = {
    machine: () => machine ??= thisMachine(),
    facts: () => facts ??= readHostFacts(site.machine()),
    agentData,
  };
  return site;
}

/**
 * All operations of a host with one reply each. They work on this machine and, by name, behind a pipe. Requests and replies
 * travel as JSON, maps as well; paths inside the checkout become those of the host.
 */
export const OPERATIONS = {
  /** Returns the facts of the host, equal at each call. */
  facts: (site: Here) => site.facts(),
  /** Returns the same runtimes on this host. Throws a failure that names both versions if they differ. */
  runtimes: ({ agentData }: Here, wanted: readonly RuntimeBinary[]) =>
    agentData === null ? [...wanted] : sameRuntimes(wanted, join(agentData, "runtimes")),
  /** Null if it is not installed. */
  findProgram: (_: Here, wish: ProgramQuery) => lookForProgram(wish),
  hashes: (_: Here, files: readonly string[]) => files.map(fileSha256),
  /** Returns hashes of source files of the user's apps; null for missing ones. */
  sources: (_: Here, wanted: readonly SourceLocation[]) => sourcesHere(wanted),
  /**
   * Puts another revision of this project into a new folder below one of this host's, once, and returns that folder. Throws
   * a failure if the checkout there lacks it.
   */
  checkOut: (_: Here, { ref, commit }: Pick<Revision, "ref" | "commit">, cacheDirectory: string) =>
    checkOutRevision({ ref, commit }, cacheDirectory),
  /** Reads processes, then the requested counters of the system, at once. */
  sample: (site: Here, wish: SampleRequest): HostSample => ({
    ...takeSample(site.machine(), wish),
    agentCpuNs: site.agentData === null ? 0 : cpuNsSoFar(),
  }),
  /** CPUs each thread of a process may use, as lists; see `Machine`. */
  threadCpus: (site: Here, pid: number) => site.machine().threadCpus(pid),
  peakRssBytes: (site: Here, pid: number) => site.machine().peakRssBytes(pid),
  /** Returns memory and descriptors of a process and all it has started; null if the system does not show them. */
  sizeOf: (_: Here, pid: number) => sizeOfAll(pid),
  freeMemoryShare: (site: Here) => site.machine().freeMemoryShare(),
  /** The shortest of several handshakes with a server, in microseconds; null where none came about. */
  roundTripUs: (_: Here, url: string) => roundTripUs(url),
  /** Returns the counters that a service reports at a port; null if it does not answer. */
  countsAt: (_: Here, port: number) => countsAt(port),
  /** Returns the number of connections open at a port; null if the system does not show them. */
  connectionsAt: (_: Here, port: number) => connectionsAt(port),
  /** Returns the ports, sockets and files that a server holds; null if the system does not show them. */
  holdingsOf: (_: Here, pid: number, mark: string | undefined) => holdingsOf(pid, mark),
  /** Looks at what a server without replies waits for; null if the system does not show it. */
  waitsOf: (site: Here, pid: number, mark: string | undefined) => waitsOf(site.machine(), pid, mark),
  workersAt: (_: Here, wish: WorkersQuery) => workersAt(wish),
  workersUse: (_: Here, workers: readonly WorkerReport[]) => workersUse(workers),
};

/** The name of an operation. */
export type OperationName = keyof typeof OPERATIONS;

type Remote<Operation> = Operation extends (site: Here, ...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never;

/** The operations as a host offers them, wherever it is. */
export type Operations = { readonly [Name in OperationName]: Remote<(typeof OPERATIONS)[Name]> };

/** Operations by name, done by a function of name and request; its errors reject. */
export function operationsBy(act: (name: OperationName, args: readonly unknown[]) => unknown): Operations {
  const all = Object.keys(OPERATIONS) as OperationName[];
  return Object.fromEntries(
    all.map((name) => [name, async (...args: readonly unknown[]) => await act(name, args)]),
  ) as unknown as Operations;
}

/** Does an operation in this process. */
export function doHere(site: Here, name: OperationName, args: readonly unknown[]): unknown {
  return (OPERATIONS[name] as (site: Here, ...args: readonly unknown[]) => unknown)(site, ...args);
}

/** CPU time of this process, in nanoseconds. */
function cpuNsSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}
