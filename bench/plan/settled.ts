import type { Values } from "./points.ts";
import type { Plan } from "../record/plan.ts";

/** How much is measured and at which values, once everything that may change it has been heard. */
export interface Settled {
  readonly values: Values;
  readonly rounds: number;
  /** Most rounds to be made in place of those that others void; none where left out. */
  readonly spareRounds?: number;
  /** Of these, in how many cells are measured alone. */
  readonly aloneRounds: number;
  readonly durationMs: number;
  /** Window of an ensemble, for each of its servers. */
  readonly ensembleMs: number;
  /** Whether ensembles are made under the conditions of the suite's probe only. */
  readonly oneCondition: boolean;
  readonly warmup: Plan["warmup"];
  /** Threads of the load generator; null takes one a core it has. */
  readonly threads: number | null;
  /** Name of the profile, `changed` where rounds or times given by hand differ. */
  readonly profile: string;
  readonly preset: string | null;
  /** The load generator, by name. */
  readonly generator: string;
  /** Requests in place of a duration. */
  readonly requests?: number;
  /** Options and axes of the config that profile, preset or flags overrule; left out without a config. */
  readonly overruled?: readonly string[];
}
