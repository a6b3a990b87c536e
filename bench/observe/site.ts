import type { RequestPlan, ServerSpec, Suite } from "../../suites/suite.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { FoundProgram } from "../pipe/look-around.ts";
import type { Placement } from "../plan/placement.ts";
import type { Plan } from "../record/plan.ts";
import type { Member, Observation, Window } from "../record/observation-record.ts";
import type { Generator } from "../generators/generator.ts";
import type { Priority } from "../machine/priority.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import type { directoryFor } from "./prepare-files.ts";
import type { Hosts } from "./sample-load.ts";

/** A load generator that was found. */
export interface Tool extends Omit<FoundProgram, "output"> {
  readonly generator: Generator;
  readonly generatorVersion: string;
}

/** An extra window on a warm server, with another generator, other requests or another rate. */
export interface PlannedWindow {
  readonly at: Window["at"];
  readonly tool: Tool;
  readonly requests: RequestPlan;
  readonly durationMs: number;
  /** Place of its server among those of an ensemble; absent for the only one. */
  readonly member?: number;
}

/** The closed loops before the windows of an observation: one of its server, or one of each member. */
export type ClosedLoops = Pick<Observation, "load" | "draw_seed" | "order" | "members">;

/**
 * Returns the next window, knowing what was measured before; null ends the observation.
 *
 * @param made windows that were measured, or left out with their server
 */
export type NextWindow = (measured: ClosedLoops, windows: readonly Window[], made: number) => PlannedWindow | null;

/** The equipment of a run, and its place. */
export interface Equipment {
  readonly hosts: Hosts;
  readonly placement: Placement;
  /** The reason why some servers have more workers than cores; null if none has. */
  readonly crowded: string | null;
  readonly priority: Priority;
  /** CPUs of services: separate ones if there are any, else the generator's; null where nothing is pinned. */
  readonly serviceCpus: readonly number[] | null;
  /** The load generator that measures. */
  readonly tool: Tool;
  /** The program for warm-ups and for the null server, with any generator. */
  readonly wrk: Tool;
  /** wrk of the servers' host. */
  readonly serversWrk: Tool;
  /** Path of wrk on the services' host; undefined if it is not installed. */
  readonly servicesWrk: string | undefined;
  /** Threads of the generator for one server; several have one each. */
  readonly threads: number;
  /** By the value of the axis that binds runtimes. */
  readonly runtimes: ReadonlyMap<string, RuntimeBinary>;
}

/** Everything an observation needs, other than its place in the plan. */
export interface Site extends Equipment {
  readonly suite: Suite;
  readonly plan: Pick<Plan, "duration_ms" | "ensemble_ms" | "warmup" | "reply_ms" | "rest_ms">;
  /**
   * The folder with a cell's files on the servers' and the services' hosts, null if it needs none, or the reason of a
   * failure.
   */
  directoryOf(cell: Cell): ReturnType<typeof directoryFor>;
  /** Differences of a cell's servers: another checkout, or extra work. */
  specialOf?(cell: Cell): { readonly root?: string; readonly ballast?: number };
  /** The start of a server, if it differs from the suite's. */
  specOf?(cell: Cell, spec: ServerSpec, runtime: RuntimeBinary | null): ServerSpec;
  /** Receives one of several servers as soon as it was measured alone, before it is measured with the others. */
  readonly onAlone?: (member: Member) => void;
  readonly nextWindow?: NextWindow;
  /** Lines of the run before this one. */
  readonly made?: readonly Observation[];
  /** Receives the way to end the process just started, so that an interrupt leaves none behind. */
  readonly onStart: (kill: () => void) => void;
}
