import { failure, usageError } from "../basics/errors.ts";
import {
  placeApart,
  placeBound,
  type PlacementNeed,
  type PlacementWish,
  serviceCpusOf,
  whyFewWorkers,
} from "../plan/placement.ts";
import { mostWorkers } from "../plan/workers.ts";
import type { Suite } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import { MEASURING } from "../generators/registry.ts";
import { localHost } from "../pipe/local-host.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { plannedServices, requireServices } from "./require-services.ts";
import { inspectGenerator } from "./inspect-generator.ts";
import type { Hosts } from "./sample-load.ts";
import type { Equipment } from "./site.ts";

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

/** The things that servers of a plan need room for. */
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
  wish: PlacementWish,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
  suite?: Suite,
): Promise<Equipment> {
  const generator = MEASURING[plan.generator]!;
  await requireServices(hosts.service, plannedServices(plan, suite));
  const [server, load] = [await hosts.server.facts(), await hosts.load.facts()];
  const need = needOf(plan, hosts.service === hosts.server ? suite : undefined);
  const place = hosts.apart ? placeApart : placeBound;
  const placement = place(server.topology, load.topology, wish, need);
  const crowded = whyFewWorkers(server.topology, placement, need);
  if (crowded !== null && wish.forceWorkers !== true) {
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

/** wrk warms servers up on one host and is the null server on the other: both must be the same version. */
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
