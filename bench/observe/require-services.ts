import type { ServiceSpec, Suite } from "../../suites/suite.ts";
import { failure } from "../basics/errors.ts";
import type { Host } from "../pipe/host.ts";
import type { Plan } from "../record/plan.ts";

/** The services of a plan that can be looked for, each once. */
export function plannedServices({ cells = [] }: Partial<Pick<Plan, "cells">>, suite: Suite | undefined): ServiceSpec[] {
  const all = cells.flatMap(({ point }) => suite?.services?.(point, null) ?? []);
  return [...new Map(all.map((spec) => [spec.name, spec])).values()];
}

/**
 * Looks for the programs of services on their host, before anything is started.
 *
 * @throws BenchError that names a service whose program is not there, with the commands that install it
 */
export async function requireServices(host: Pick<Host, "serve">, services: readonly ServiceSpec[]): Promise<void> {
  for (const spec of services) {
    if (spec.look === undefined) continue;
    const found = await host.serve({ spec: { ...spec, command: spec.look }, runtime: null, cpus: null });
    if (!("unsupported" in found)) continue;
    const [why, install] = found.unsupported.split("; try: ");
    throw failure(why!, install ?? `bench doctor says what is missing for "${spec.name}"`);
  }
}
