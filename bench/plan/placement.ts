import { formatCpuList } from "../basics/cpu-list.ts";
import { usageError } from "../basics/errors.ts";

/** One logical CPU of the machine. */
export interface Cpu {
  readonly id: number;
  /** CPUs with the same core number are SMT siblings: two names for one core. Unique over the whole machine. */
  readonly core: number;
  readonly node: number;
}

/** The CPUs that the machine offers this process. */
export interface Topology {
  /** Null if CPUs cannot be chosen, with the reason in `why`. */
  readonly cpus: readonly Cpu[] | null;
  readonly why: string;
}

/** The CPUs of server and load generator. */
export type Placement =
  | {
    readonly pinning: "separate-cores" | "siblings" | "one-cpu" | "chosen";
    readonly serverCpus: readonly number[];
    readonly loadCpus: readonly number[];
    readonly note: string;
  }
  | { readonly pinning: "none"; readonly serverCpus: null; readonly loadCpus: null; readonly note: string };

/** CPUs requested on the command line. */
export interface CpuOptions {
  readonly serverCpus?: readonly number[];
  readonly loadCpus?: readonly number[];
  /** True if workers may outnumber their cores. */
  readonly forceWorkers?: boolean;
}

/** The needs of servers for CPUs. */
export interface PlacementNeed {
  /** The most workers of a server, which get a core each as far as there are any. */
  readonly workers: number;
  readonly services: boolean;
}

const ONE_SERVER: PlacementNeed = { workers: 1, services: false };

/** More generator cores than this, or than a server has workers, add nothing. */
const MAX_LOAD_CORES = 2;
const loadCoresFor = ({ workers }: PlacementNeed) => Math.max(MAX_LOAD_CORES, workers);

/** Cores that workers leave to the generator, and to services. */
const keptFor = ({ workers, services }: PlacementNeed) => workers > 1 && services ? 2 : 1;

/** Returns a CPU of each of the last cores: at most one for each worker, and so that cores are left for other processes. */
const lastCores = (cores: readonly Cpu[][], workers: number, kept: number): Cpu[] =>
  cores.slice(Math.max(Math.min(kept, cores.length - 1), cores.length - workers)).map(([cpu]) => cpu!);

const idsOf = (cpus: readonly Cpu[]) => cpus.map(({ id }) => id).sort((a, b) => a - b);

/**
 * Chooses CPUs for server and generator from those this process may use: different physical cores, the same NUMA
 * node, away from CPU 0 where interrupts tend to land, one CPU a core so that siblings stay idle.
 * Throws a usage error when a wish cannot be granted.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { placeProcesses } from "levelfield";
 * const cpus = [0, 1, 2, 3].map((id) => ({ id, core: id >> 1, node: 0 }));
 * const placement = placeProcesses({ cpus, why: "" });
 * assert.equal(placement.pinning, "separate-cores");
 * ```
 */
export function placeProcesses(
  topology: Topology,
  options: CpuOptions = {},
  need: PlacementNeed = ONE_SERVER,
): Placement {
  const { cpus } = topology;
  if (cpus === null) {
    if (options.serverCpus ?? options.loadCpus) {
      throw usageError(`CPUs cannot be chosen here: ${topology.why}`, "leave out --server-cpus and --load-cpus");
    }
    return { pinning: "none", serverCpus: null, loadCpus: null, note: topology.why };
  }
  if (options.serverCpus !== undefined || options.loadCpus !== undefined) return granted(cpus, options, need);

  const placement = (
    pinning: "separate-cores" | "siblings" | "one-cpu",
    servers: readonly Cpu[],
    load: readonly Cpu[],
    note: string,
  ): Placement => ({ pinning, serverCpus: idsOf(servers), loadCpus: idsOf(load), note });
  const node = largestNode(cpus);
  const ofNode = coresOf(cpus.filter((cpu) => cpu.node === node));
  const kept = keptFor(need);
  const all = coresOf(cpus);
  const cores = need.workers === 1 || ofNode.length >= Math.min(all.length, need.workers + kept) ? ofNode : all;
  if (cores.length >= 2) {
    const servers = lastCores(cores, need.workers, kept);
    const rest = cores.slice(0, -servers.length);
    const spare = rest.length > 2 || kept === 2 && rest.length === 2 ? rest.slice(1) : rest;
    const load = spare.slice(-loadCoresFor(need)).map((core) => core[0]!);
    const where = cores === ofNode ? `NUMA node ${node}` : "all NUMA nodes";
    return placement("separate-cores", servers, load, `physical cores of ${where}, ${cores.length} allowed`);
  }
  const [core, other] = coresOf(cpus);
  if (other !== undefined) {
    return placement(
      "separate-cores",
      [other[0]!],
      [core![0]!],
      "cores of different NUMA nodes: no node has two allowed",
    );
  }
  const [cpu, sibling] = core!;
  if (sibling !== undefined) {
    return placement(
      "siblings",
      [sibling],
      [cpu!],
      "server and generator share one physical core: only one is allowed",
    );
  }
  return placement("one-cpu", [cpu!], [cpu!], "server and generator share the only CPU allowed");
}

/**
 * Chooses CPUs where server and generator have a machine each: physical cores away from CPU 0, as far as there are others.
 * Throws a usage error when a wish cannot be granted.
 */
export function placeApart(
  server: Topology,
  load: Topology,
  options: CpuOptions = {},
  need: PlacementNeed = ONE_SERVER,
): Placement {
  const why = [server, load].find(({ cpus }) => cpus === null)?.why;
  if (server.cpus === null || load.cpus === null) {
    if (options.serverCpus ?? options.loadCpus) {
      throw usageError(`CPUs cannot be chosen there: ${why}`, "leave out --server-cpus and --load-cpus");
    }
    return { pinning: "none", serverCpus: null, loadCpus: null, note: why! };
  }
  allowed(server.cpus, "--server-cpus", options.serverCpus);
  allowed(load.cpus, "--load-cpus", options.loadCpus);
  const last = (cpus: readonly Cpu[], most: number, kept: number) => {
    const ofNode = coresOf(cpus.filter(({ node }) => node === largestNode(cpus)));
    const enough = need.workers === 1 || ofNode.length >= most + kept;
    return idsOf(lastCores(enough ? ofNode : coresOf(cpus), most, kept));
  };
  // A service runs on the core that is kept free.
  return {
    pinning: options.serverCpus === undefined && options.loadCpus === undefined ? "separate-cores" : "chosen",
    serverCpus: options.serverCpus ?? last(server.cpus, need.workers, 1),
    loadCpus: options.loadCpus ?? last(load.cpus, loadCoresFor(need), 1),
    note: "on machines of their own",
  };
}

/**
 * Chooses CPUs on one machine of which each side may use some: bound by a scheduler, say. They get different physical cores
 * as far as their bounds have any. Where both may use the same CPUs it is {@link placeProcesses}.
 * Throws a usage error when a wish cannot be granted.
 */
export function placeBound(
  server: Topology,
  load: Topology,
  options: CpuOptions = {},
  need: PlacementNeed = ONE_SERVER,
): Placement {
  const ids = ({ cpus }: Topology) => cpus?.map(({ id }) => id).sort((a, b) => a - b).join();
  if (server.cpus === null || ids(server) === ids(load)) return placeProcesses(server, options, need);
  if (load.cpus === null) return placeProcesses(load, options, need);
  allowed(server.cpus, "--server-cpus", options.serverCpus);
  allowed(load.cpus, "--load-cpus", options.loadCpus);
  const named = (cpus: readonly Cpu[], list: readonly number[]) => cpus.filter(({ id }) => list.includes(id));
  const cores = coresOf(server.cpus);
  const serversOnly = cores.filter(([cpu]) => !load.cpus!.some(({ core }) => core === cpu!.core));
  const servers = options.serverCpus === undefined
    ? serversOnly.length > 0 ? lastCores(serversOnly, need.workers, keptFor(need) - 1) : [cores.at(-1)![0]!]
    : named(server.cpus, options.serverCpus);
  const taken = new Set(servers.map(({ core }) => core));
  const away = coresOf(load.cpus.filter(({ core }) => !taken.has(core))).slice(-loadCoresFor(need))
    .map(([cpu]) => cpu!);
  const free = load.cpus.find(({ id }) => !servers.some((cpu) => cpu.id === id)) ?? load.cpus[0]!;
  const loads = options.loadCpus !== undefined ? named(load.cpus, options.loadCpus) : away.length > 0 ? away : [free];
  const one = loads.some(({ id }) => servers.some((cpu) => cpu.id === id));
  const core = loads.some((cpu) => taken.has(cpu.core));
  return {
    pinning: one ? "one-cpu" : core ? "siblings" : "separate-cores",
    serverCpus: servers.map(({ id }) => id),
    loadCpus: loads.map(({ id }) => id),
    note: core ? "server and generator are bound to the same core" : "each where it is bound to",
  };
}

/**
 * CPUs of services on their machine: a core that no side there has, else those of the generator, or of the servers
 * where the generator is elsewhere. Null if nothing is pinned.
 *
 * @param on whose machine that is
 */
export function serviceCpusOf(
  { cpus }: Topology,
  placement: Placement,
  on: { readonly servers: boolean; readonly load: boolean },
): readonly number[] | null {
  const { serverCpus, loadCpus } = placement;
  if (cpus === null || serverCpus === null) return null;
  const used = [...(on.servers ? serverCpus : []), ...(on.load ? loadCpus : [])];
  const taken = new Set(cpus.filter(({ id }) => used.includes(id)).map(({ core }) => core));
  const free = coresOf(cpus.filter(({ core }) => !taken.has(core))).at(-1);
  return free === undefined ? on.load ? loadCpus : serverCpus : [free[0]!.id];
}

/** Returns the number of workers that can each have a core; 0 without pinning. */
export function provenWorkers({ cpus }: Topology, { serverCpus }: Pick<Placement, "serverCpus">): number {
  return coresOf((cpus ?? []).filter(({ id }) => serverCpus?.includes(id))).length;
}

/** Returns the reason for which servers have more workers than cores; null if each worker has one. */
export function whyFewWorkers(
  topology: Topology,
  placement: Placement,
  { workers, services }: PlacementNeed,
): string | null {
  const proven = Math.max(1, provenWorkers(topology, placement));
  const taken = `the load generator's${services ? " and the service's" : ""}`;
  return workers <= proven
    ? null
    : `${workers} workers take a core each beside ${taken}, and this machine can prove ${proven}`;
}

/** Throws a usage error for CPUs that are not available. */
function allowed(cpus: readonly Cpu[], flag: string, list: readonly number[] = []): void {
  const known = cpus.map(({ id }) => id);
  for (const id of list.filter((id) => !known.includes(id))) {
    throw usageError(
      `${flag} names CPU ${id}, which this process may not use`,
      `choose from "${formatCpuList(known)}"`,
    );
  }
}

function granted(cpus: readonly Cpu[], options: CpuOptions, need: PlacementNeed): Placement {
  const known = new Map(cpus.map((cpu) => [cpu.id, cpu]));
  allowed(cpus, "--server-cpus", options.serverCpus);
  allowed(cpus, "--load-cpus", options.loadCpus);
  const taken = options.serverCpus ?? options.loadCpus!;
  const takenCores = new Set(taken.map((id) => known.get(id)!.core));
  const takenNodes = new Set(taken.map((id) => known.get(id)!.node));
  const away = cpus.filter((cpu) => !takenCores.has(cpu.core));
  const near = away.filter((cpu) => takenNodes.has(cpu.node));
  const rest = coresOf(near.length > 0 ? near : away);
  const free = (flag: string) => {
    if (rest.length === 0) {
      throw usageError(`no core is left for ${flag} beside "${formatCpuList(taken)}"`, `name both lists`);
    }
    return rest;
  };
  const serverCpus = options.serverCpus ?? idsOf(lastCores(free("--server-cpus"), need.workers, 0));
  const loadCpus = options.loadCpus ?? free("--load-cpus").slice(-loadCoresFor(need)).map((core) => core[0]!.id);
  const both = serverCpus.filter((id) => loadCpus.includes(id));
  if (both.length > 0) {
    throw usageError(
      `--server-cpus and --load-cpus both name CPU ${formatCpuList(both)}`,
      "give them different CPUs, or leave both out",
    );
  }
  const shared = serverCpus.some((id) => loadCpus.some((other) => known.get(id)!.core === known.get(other)!.core));
  return {
    pinning: shared ? "siblings" : "chosen",
    serverCpus,
    loadCpus,
    note: shared ? "as asked for, but server and generator share a physical core" : "as asked for",
  };
}

function coresOf(cpus: readonly Cpu[]): Cpu[][] {
  return [...Map.groupBy(cpus.toSorted((a, b) => a.id - b.id), ({ core }) => core).values()];
}

/** The NUMA node with the most allowed cores, the lowest number among equals. */
function largestNode(cpus: readonly Cpu[]): number {
  const cores = new Map<number, Set<number>>();
  for (const cpu of cpus) cores.set(cpu.node, (cores.get(cpu.node) ?? new Set()).add(cpu.core));
  return [...cores].sort((a, b) => b[1].size - a[1].size || a[0] - b[0])[0]![0];
}
