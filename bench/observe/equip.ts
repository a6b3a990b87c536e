import { rateAt } from "../core/open-loop.ts";
import { type PlacementWish, placeProcesses } from "../core/placement.ts";
import type { Plan } from "../core/plan.ts";
import { GENERATORS } from "../generators/registry.ts";
import { raisedPriority } from "../host/priority.ts";
import type { RuntimeBinary } from "../host/runtimes.ts";
import { thisMachine } from "../host/this-machine.ts";
import { inspectGenerator } from "./inspect-generator.ts";
import type { Equipment } from "./site.ts";

/** Looks up and checks everything a run needs of this machine, before anything is measured. */
export async function equip(
  plan: Pick<Plan, "generator" | "threads"> & Partial<Pick<Plan, "cells">>,
  wish: PlacementWish,
  runtimes: readonly RuntimeBinary[],
): Promise<Equipment> {
  const generator = GENERATORS[plan.generator]!;
  const machine = thisMachine();
  const placement = placeProcesses(machine.topology(), wish);
  const wrk = await inspectGenerator(GENERATORS["wrk"]!);
  const open = plan.cells?.some(({ point }) => rateAt(point.at) !== null) === true;
  const tool = generator === wrk.generator ? wrk : await inspectGenerator(generator, open ? "open loop" : "every load");
  return {
    machine,
    placement,
    priority: raisedPriority(),
    ...tool,
    wrk,
    runtimes: new Map(runtimes.map((runtime) => [runtime.label, runtime])),
    threads: !generator.abilities.threads ? 1 : plan.threads ?? placement.loadCpus?.length ?? 1,
  };
}
