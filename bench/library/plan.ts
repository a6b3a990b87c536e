import { join } from "node:path";
import type { Suite, Value } from "../../suites/suite.ts";
import { bindRuntimes } from "../input/runtime-wishes.ts";
import { AA, MAIN } from "../record/cell.ts";
import { usageError } from "../basics/errors.ts";
import { makePlan } from "../core/make-plan.ts";
import type { Plan } from "../record/plan.ts";
import { PROFILES } from "../core/profile.ts";
import { type Given, settle } from "../input/settle.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { whyNot } from "../generators/refuse.ts";
import { GENERATORS } from "../generators/registry.ts";
import { loadSuite, suiteFault } from "../host/load-suite.ts";
import { dataFolder } from "../host/own-folders.ts";
import { gradeOn, type HostsWish, onHosts } from "../observe/connect-hosts.ts";

/** What is to be measured and how much of it, all of it optional; what is left out is the suite's or the profile's. */
export interface PlanChoices {
  /** Values of axes by the axis's name: every combination is measured. */
  readonly at?: Readonly<Record<string, readonly Value[]>>;
  /** How much is measured: `quick` has verdicts under one set of conditions only; `default`; `thorough`. */
  readonly profile?: keyof typeof PROFILES;
  /** A preset of the suite. */
  readonly preset?: string;
  /** Rounds, 1 to 1 000; verdicts take at least 4. */
  readonly rounds?: number;
  /** Window of each cell measured alone, whole seconds in milliseconds. */
  readonly durationMs?: number;
  /** Load before the window, whole seconds in milliseconds; by default until the server is steady. */
  readonly warmupMs?: number;
  /** Name of the load generator; wrk by default. */
  readonly generator?: string;
  /** Threads of the load generator, 1 to 16; by default one for each core it has. */
  readonly threads?: number;
  /** Seed of order and requests, a whole number below 2^32; by default from the clock. */
  readonly seed?: number;
  /** Label of the cells: letters, digits, dots and dashes; `main` by default. */
  readonly label?: string;
  /** Measures every cell alone, none together on one core. */
  readonly alone?: boolean;
  /** Where it is to be run, as for `run`: cells are measured together only where processes can be put on one core. */
  readonly hosts?: HostsWish;
  /** Folder of fetched runtimes, where an axis asks for one such as `node@24.21.0`. */
  readonly data?: string;
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
  const { suite: own, module } = typeof suite === "string" ? await loadSuite(suite) : { suite, module: null };
  const fault = suiteFault(own) ?? faultOf(own, choices);
  if (fault !== null) throw usageError(fault, "see PlanChoices in docs/library.md");
  const { profile = "default", preset, label = MAIN, alone = false, data = dataFolder() } = choices;
  const settled = settle(own, PROFILES[profile], preset, given(choices));
  const generator = choices.generator ?? settled.generator ?? "wrk";
  if (!Object.hasOwn(GENERATORS, generator)) throw unknownName("generator", generator, Object.keys(GENERATORS));
  const { abilities } = GENERATORS[generator]!;
  const { values } = await bindRuntimes(own, settled.values, join(data, "runtimes"));
  const { requests, ...timed } = settled;
  const counts = requests !== undefined && abilities.requests;
  return await makePlan(own, {
    settled: { ...timed, values, ...(counts ? { requests } : {}) },
    module,
    label,
    together: abilities.manyServers && !alone && settled.rounds >= thresholds.leastRounds.value &&
      (await onHosts(choices.hosts ?? {}, gradeOn)).grade !== "advisory",
    seed: choices.seed ?? Date.now() % 2 ** 32,
    generator,
    whyNotSent: (wanted) => whyNot(GENERATORS[generator]!, wanted),
  });
}

function given({ at, rounds, durationMs, warmupMs, threads }: PlanChoices): Given {
  const all = { at, rounds, durationMs, warmupMs, threads };
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)) as Given;
}

const isWhole = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;
const isSeconds = (ms: number) => isWhole(ms, 1_000, 600_000) && ms % 1_000 === 0;

/** What cannot be planned, in one sentence; null when nothing is to be seen. */
function faultOf(suite: Suite, choices: PlanChoices): string | null {
  const { rounds, durationMs, warmupMs, threads, seed, label, profile = "default" } = choices;
  if (!Object.hasOwn(PROFILES, profile)) return `profile "${profile}" is none of ${Object.keys(PROFILES).join(", ")}`;
  const asked: readonly [string, number | undefined, (value: number) => boolean, string][] = [
    ["rounds", rounds, (value) => isWhole(value, 1, 1_000), "a whole number from 1 to 1000"],
    ["durationMs", durationMs, isSeconds, "whole seconds in milliseconds"],
    ["warmupMs", warmupMs, isSeconds, "whole seconds in milliseconds"],
    ["threads", threads, (value) => isWhole(value, 1, 16), "a whole number from 1 to 16"],
    ["seed", seed, (value) => isWhole(value, 0, 2 ** 32 - 1), "a whole number below 2^32"],
  ];
  for (const [name, value, holds, form] of asked) {
    if (value !== undefined && !holds(value)) return `${name} "${value}" is not ${form}`;
  }
  if (label !== undefined && (!/^[a-z0-9][a-z0-9._-]{0,39}$/i.test(label) || label === AA)) {
    return `label "${label}" is none: letters, digits, dots and dashes, and not "${AA}"`;
  }
  for (const [name, values] of Object.entries(choices.at ?? {})) {
    const axis = suite.axes.find((each) => each.name === name);
    if (axis === undefined) return `suite "${suite.name}" has no axis "${name}": ${suite.axes.map((a) => a.name)}`;
    if (values.length === 0) return `suite "${suite.name}": axis "${name}" is given no value`;
    const wrong = values.find((value) => axis.parse(axis.format(value)) !== value);
    if (wrong !== undefined) return `suite "${suite.name}": axis "${name}" has no value ${JSON.stringify(wrong)}`;
  }
  return null;
}
