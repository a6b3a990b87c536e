import type { Suite } from "../../suites/suite.ts";
import type { Cell } from "../core/cell-schema.ts";
import type { Placement } from "../core/placement.ts";
import type { Plan } from "../core/plan.ts";
import type { Generator } from "../generators/generator.ts";
import type { Machine } from "../host/machine.ts";
import type { Priority } from "../host/priority.ts";
import type { RuntimeBinary } from "../host/runtimes.ts";

/** What a run uses of this machine. */
export interface Equipment {
  readonly machine: Machine;
  readonly placement: Placement;
  readonly priority: Priority;
  readonly generator: Generator;
  /** Path of the generator's program, and the version it says it has. */
  readonly program: string;
  readonly generatorVersion: string;
  /** Threads of the generator for one server; several have one each. */
  readonly threads: number;
  /** By the value of the axis that binds runtimes. */
  readonly runtimes: ReadonlyMap<string, RuntimeBinary>;
}

/** Everything an observation needs besides its place in the plan. */
export interface Site extends Equipment {
  readonly suite: Suite;
  readonly plan: Pick<Plan, "duration_ms" | "ensemble_ms" | "warmup">;
  /** The folder with a cell's files, null where it needs none, or why there is none. */
  directoryOf(cell: Cell): { readonly directory: string | null } | { readonly failed: string };
  /** What is special about servers of a cell: another checkout, or extra work. */
  specialOf?(cell: Cell): { readonly root?: string; readonly ballast?: number };
  /** Told how to end the process just started, so that an interrupt leaves none behind. */
  readonly onStart: (kill: () => void) => void;
}
