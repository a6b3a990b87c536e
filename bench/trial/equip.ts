import { type PlacementWish, placeProcesses } from "../core/placement.ts";
import type { Plan } from "../core/plan.ts";
import { GENERATORS } from "../generators/registry.ts";
import type { RuntimeBinary } from "../host/runtimes.ts";
import { thisMachine } from "../host/this-machine.ts";
import type { TrialSite } from "./conduct-trial.ts";
import { inspectGenerator } from "./inspect-generator.ts";

/** What a run uses of this machine. */
export interface Equipment extends Pick<TrialSite, "machine" | "placement" | "generator" | "program" | "threads"> {
  readonly generatorVersion: string;
  /** By label. */
  readonly runtimes: ReadonlyMap<string, RuntimeBinary>;
}

/** Looks up and checks everything a run needs of this machine, before anything is measured. */
export async function equip(
  plan: Pick<Plan, "generator" | "connections">,
  wish: PlacementWish,
  runtimes: readonly RuntimeBinary[],
): Promise<Equipment> {
  const generator = GENERATORS[plan.generator]!;
  const machine = thisMachine();
  const placement = placeProcesses(machine.topology(), wish);
  const { program, version } = await inspectGenerator(generator);
  const threads = Math.max(1, Math.min(placement.loadCpus?.length ?? 1, plan.connections));
  const byLabel = new Map(runtimes.map((runtime) => [runtime.label, runtime]));
  return { machine, placement, generator, program, generatorVersion: version, runtimes: byLabel, threads };
}
