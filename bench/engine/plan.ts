import { join } from "node:path";
import type { Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { knownNames } from "../basics/unknown-name.ts";
import { PROFILES } from "../plan/profile.ts";
import { type LoadedSuite, loadSuite, suiteFault } from "../sources/load-suite.ts";
import { rememberPlan } from "../sources/known-plans.ts";
import { dataFolder } from "../runtimes/project-folders.ts";
import { typesOf } from "../options/option-table.ts";
import type { ConfigKeys } from "../options/options.ts";
import { refused } from "../options/origin.ts";
import { planOf } from "../options/plan-of.ts";
import { settle } from "../options/settle.ts";
import { oneOf, readAs, type Type, wholeSecondsMs } from "../options/types.ts";
import { onHosts } from "../observe/connect-hosts.ts";
import type { HostOptions } from "../plan/plan-actions.ts";
import type { Plan } from "../record/plan.ts";
import { preparePlan } from "./conductor.ts";

/** Options of the command line that a program may choose, too. */
const OPTIONS_TAKEN = ["rounds", "threads", "generator", "seed", "label", "alone", "like", "preset", "data"] as const;

/**
 * Choices of what is measured and how much of it, all optional: the suite or the profile has those left out. Options of the
 * command line have the values that a config gives them: docs/configuration.md.
 */
export interface PlanChoices extends Pick<ConfigKeys, typeof OPTIONS_TAKEN[number]> {
  /** Values of axes by the axis's name: every combination is measured. */
  readonly at?: Readonly<Record<string, readonly Value[]>>;
  /** The amounts: `quick` has verdicts under one set of conditions only; `default`; `thorough`. */
  readonly profile?: keyof typeof PROFILES;
  /** Window of each cell measured alone, whole seconds in milliseconds. */
  readonly durationMs?: number;
  /** Load before the window, whole seconds in milliseconds; by default until the server is steady. */
  readonly warmupMs?: number;
  /** Hosts of the later run, as for `run`: cells are measured together only if processes can share one core. */
  readonly hosts?: HostOptions;
}

/**
 * Makes the plan of a matrix: which cells, in which rounds, alone and together. It is plain data: print it, keep it, run it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { cellName, plan } from "levelfield";
 * const made = await plan("routes", { at: { runtime: ["node", "bun"] }, rounds: 4, seed: 1 });
 * assert.equal(made.rounds, 4);
 * console.log(made.cells.map((cell) => cellName(made.axes, cell)));
 * ```
 *
 * @param suite a suite, the name of one of this project, or the path of a module that exports one
 * @throws BenchError naming suite, axis and value when there is no such thing to measure, a runtime is missing, or a host cannot be reached
 */
export async function plan(suite: string | Suite, choices: PlanChoices = {}): Promise<Plan> {
  const loaded: LoadedSuite = typeof suite === "string" ? await loadSuite(suite) : { suite, module: null };
  const fault = suiteFault(loaded.suite);
  if (fault !== null) throw usageError(fault, HINT);
  check(loaded.suite, choices);
  const { profile = "default", data = dataFolder(), at, rounds, durationMs, warmupMs, generator, threads } = choices;
  const settled = settle(loaded.suite, {
    ...choices,
    profile: PROFILES[profile],
    given: { at, rounds, durationMs, warmupMs, generator, threads },
  });
  const made = await onHosts(choices.alone ? {} : choices.hosts ?? {}, async (hosts) => {
    const venue = { hosts, cache: { folder: join(data, "runtimes") }, say: () => {} };
    const prepared = await preparePlan(venue, {
      loaded,
      settled,
      together: settled.together,
      wish: {},
      plan: (bound, { grade: { grade } }) => planOf(bound, bound.settled!, { grade }),
    });
    return prepared.plan;
  });
  rememberPlan({ plan: made, wanted: null, against: undefined }, process.cwd());
  return made;
}

const HINT = "see PlanChoices in docs/library.md";

/** Types of choices, the same as those of options. Null if a choice has its own check. */
const TYPES: Readonly<Record<keyof PlanChoices, Type | null>> = {
  ...typesOf(...OPTIONS_TAKEN),
  durationMs: wholeSecondsMs,
  warmupMs: wholeSecondsMs,
  profile: oneOf(Object.keys(PROFILES)),
  at: null,
  hosts: null,
};

function check(suite: Suite, choices: PlanChoices): void {
  for (const [key, value] of Object.entries(choices)) {
    const origin = { from: "library", key } as const;
    if (!Object.hasOwn(TYPES, key)) {
      throw refused(origin, undefined, "is no choice", knownNames(key, Object.keys(TYPES)));
    }
    const type = TYPES[key as keyof PlanChoices];
    if (value !== undefined && type !== null) readAs(type, value, origin);
  }
  for (const [name, values] of Object.entries(choices.at ?? {})) {
    const axis = suite.axes.find((each) => each.name === name);
    const wrong = values.find((value) => axis?.parse(axis.format(value)) !== value);
    const fault = axis === undefined
      ? `has no axis "${name}": ${suite.axes.map((a) => a.name).join(", ")}`
      : values.length === 0
      ? `axis "${name}" is given no value`
      : wrong !== undefined
      ? `axis "${name}" has no value ${JSON.stringify(wrong)}`
      : null;
    if (fault !== null) throw usageError(`suite "${suite.name}"${axis === undefined ? "" : ":"} ${fault}`, HINT);
  }
}
