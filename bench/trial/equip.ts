import type { RuntimeName } from "../../servers/runtime.ts";
import { type PlacementWish, placeProcesses } from "../core/placement.ts";
import type { Plan } from "../core/plan.ts";
import { GENERATORS } from "../generators/registry.ts";
import { inspectRuntime, type RuntimeBinary } from "../host/runtimes.ts";
import { thisMachine } from "../host/this-machine.ts";
import type { TrialSite } from "./conduct-trial.ts";
import { inspectGenerator } from "./inspect-generator.ts";

/** What a run uses of this machine. */
export interface Equipment extends Pick<TrialSite, "machine" | "placement" | "generator" | "program" | "threads"> {
  readonly generatorVersion: string;
  readonly runtimes: ReadonlyMap<string, RuntimeBinary>;
}

/** Looks up and checks everything a run needs of this machine, before anything is measured. */
export async function equip(
  plan: Pick<Plan, "generator" | "connections">,
  wish: PlacementWish,
  runtimeNames: readonly RuntimeName[],
): Promise<Equipment> {
  const generator = GENERATORS[plan.generator]!;
  const machine = thisMachine();
  const placement = placeProcesses(machine.topology(), wish);
  const { program, version } = await inspectGenerator(generator);
  const runtimes = new Map<string, RuntimeBinary>();
  for (const name of runtimeNames) runtimes.set(name, await inspectRuntime(name));
  const threads = Math.max(1, Math.min(placement.loadCpus?.length ?? 1, plan.connections));
  return { machine, placement, generator, program, generatorVersion: version, runtimes, threads };
}
