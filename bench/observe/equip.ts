import { failure, usageError } from "../basics/errors.ts";
import {
  type CpuOptions,
  placeApart,
  placeBound,
  type PlacementNeed,
  serviceCpusOf,
  whyFewWorkers,
} from "../plan/placement.ts";
import { mostWorkers } from "../plan/workers.ts";
import type { ServiceSpec, Suite } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import { type Generator, installHint } from "../generators/generator.ts";
import { MEASURING } from "../generators/registry.ts";
import type { Host } from "../pipe/host.ts";
import { localHost } from "../pipe/local-host.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import type { Hosts } from "./sample-load.ts";
import type { Equipment, Tool } from "./site.ts";

/** This machine for servers and load generator. */
export function hostsHere(): Hosts {
  const here = localHost();
  return {
    server: here,
    load: here,
    service: here,
    reader: here,
    apart: false,
    servicesOn: { servers: true, load: true },
  };
}

/** Needs of a plan's servers for cores. */
const needOf = (plan: Partial<Pick<Plan, "cells">>, suite: Suite | undefined): PlacementNeed => ({
  workers: mostWorkers({ cells: plan.cells ?? [] }),
  services: plannedServices(plan, suite).length > 0,
});

/**
 * Looks up and checks everything a run needs where it takes place, before anything is measured.
 *
 * @throws BenchError where a tool or a service is missing, or the machine has too few cores
 * @param suite of the plan, where it has cells
 */
export async function equip(
  plan: Pick<Plan, "generator" | "threads"> & Partial<Pick<Plan, "cells">>,
  options: CpuOptions,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
  suite?: Suite,
): Promise<Equipment> {
  const generator = MEASURING[plan.generator]!;
  await requireServices(hosts.service, plannedServices(plan, suite));
  const [server, load] = [await hosts.server.facts(), await hosts.load.facts()];
  const need = needOf(plan, hosts.service === hosts.server ? suite : undefined);
  const place = hosts.apart ? placeApart : placeBound;
  const placement = place(server.topology, load.topology, options, need);
  const crowded = whyFewWorkers(server.topology, placement, need);
  if (crowded !== null && options.forceWorkers !== true) {
    throw usageError(crowded, "ask for fewer --workers; with --force-workers they run, marked, their rates unjudged");
  }
  const calls = generator.abilities.calls === true;
  if (calls && hosts.apart) {
    throw failure(`${generator.name} reads what servers write down: both must be on one host`, "leave out --load-host");
  }
  // Without requests, wrk only runs null services.
  const both = await sameWrk(hosts).catch((error) => calls ? null : Promise.reject(error));
  const tool = generator === both?.wrk.generator ? both.wrk : await inspectGenerator(generator, hosts.load);
  const here = await hosts.server.runtimes(runtimes);
  return {
    hosts,
    placement,
    crowded,
    serviceCpus: serviceCpusOf((await hosts.service.facts()).topology, placement, hosts.servicesOn),
    priority: server.priority.nice === null ? server.priority : load.priority,
    tool,
    wrk: calls ? tool : both!.wrk,
    serversWrk: both?.serversWrk ?? tool,
    servicesWrk: hosts.service === hosts.server
      ? (both?.serversWrk ?? tool).program
      // A host that only has databases needs none.
      : (await hosts.service.findProgram({ program: "wrk", versionArgs: ["-v"] }))?.program,
    runtimes: new Map(here.map((runtime) => [runtime.label, runtime])),
    threads: !generator.abilities.threads ? 1 : plan.threads ?? placement.loadCpus?.length ?? 1,
  };
}

/** wrk warms up servers from one host and is the null server on the other: versions must be equal. */
async function sameWrk({ server, load }: Hosts): Promise<Pick<Equipment, "wrk" | "serversWrk">> {
  const inspect = (host: Hosts["server"]) => inspectGenerator(MEASURING["wrk"]!, host);
  const wrk = await inspect(load);
  const serversWrk = server === load ? wrk : await inspect(server);
  if (serversWrk.generatorVersion === wrk.generatorVersion) return { wrk, serversWrk };
  throw failure(
    `wrk is ${serversWrk.generatorVersion} on the servers' host and ${wrk.generatorVersion} on the load generator's`,
    "install the same one on both",
  );
}

/** The services of a plan that can be looked for, each once. */
function plannedServices({ cells = [] }: Partial<Pick<Plan, "cells">>, suite: Suite | undefined): ServiceSpec[] {
  const all = cells.flatMap(({ point }) => suite?.services?.(point, null) ?? []);
  return [...new Map(all.map((spec) => [spec.name, spec])).values()];
}

/**
 * Looks for the programs of services on their host, before anything is started.
 *
 * @throws BenchError that names a service whose program is not there, with the commands that install it
 */
async function requireServices(host: Pick<Host, "serve">, services: readonly ServiceSpec[]): Promise<void> {
  for (const spec of services) {
    if (spec.look === undefined) continue;
    const found = await host.serve({ spec: { ...spec, command: spec.look }, runtime: null, cpus: null });
    if (!("unsupported" in found)) continue;
    throw failure(found.unsupported, found.install ?? `bench doctor says what is missing for "${spec.name}"`);
  }
}

/** Finds a generator's program and its version. Throws BenchError that says how to install it if it is missing. */
export async function inspectGenerator(
  generator: Generator,
  host: Pick<Host, "findProgram"> = localHost(),
): Promise<Tool> {
  const { name, program, module, versionArgs } = generator;
  const found = await host.findProgram({ program, module, versionArgs });
  if (found === null) throw failure(`${name} is not installed`, `install it: ${installHint(generator)}`);
  const { output, ...place } = found;
  const version = generator.parseVersion(output);
  if (version === undefined) {
    const file = found.lead[0] ?? found.program;
    throw failure(`"${file}" does not say its version`, `install it again: ${installHint(generator)}`);
  }
  return { generator, ...place, generatorVersion: version };
}
