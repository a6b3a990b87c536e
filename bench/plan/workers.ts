import type { Cell } from "../record/cell-schema.ts";
import type { GivenCpus } from "../judge/judge-load.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { At } from "../../suites/suite.ts";

/** Name of the axis of how many workers a server has. */
export const WORKERS_AXIS = "workers";

/** Returns the number of workers at a point: 1 without such an axis. */
export const workersOf = (at: At): number => typeof at[WORKERS_AXIS] === "number" ? at[WORKERS_AXIS] : 1;

/** The most workers a server has in a plan. */
export const mostWorkers = ({ cells }: Pick<Plan, "cells">): number =>
  Math.max(1, ...cells.map(({ point }) => workersOf(point.at)));

/**
 * CPUs of a server among those of a run's servers: one for each worker as far as there are any, the last of them. All of them
 * where no server of the run has several workers.
 */
export function workerCpus(
  plan: Pick<Plan, "cells">,
  { point }: Cell,
  serverCpus: readonly number[] | null,
): readonly number[] | null {
  return serverCpus === null || mostWorkers(plan) === 1 ? serverCpus : serverCpus.slice(-workersOf(point.at));
}

/** CPUs that a run gave the servers of a cell and their load generator. */
export const givenCpus = ({ plan, placement }: Pick<RunRecord, "plan" | "placement">, cell: Cell): GivenCpus => ({
  serverCpus: workerCpus(plan, cell, placement.server_cpus),
  loadCpus: placement.load_cpus,
});

/** Cores that a server of a run had for several workers, where these are more; null if each had one. */
export function coresShared(
  { plan, placement, machine: { topology } }: Pick<RunRecord, "plan" | "placement" | "machine">,
  cell: Cell,
): number | null {
  const cpus = workerCpus(plan, cell, placement.server_cpus) ?? [];
  const cores = new Set(cpus.map((id) => topology?.find(({ cpu }) => cpu === id)?.core ?? id)).size;
  return workersOf(cell.point.at) > Math.max(1, cores) ? cores : null;
}
