import type { Suite } from "../../suites/suite.ts";
import type { Args } from "../args/read-args.ts";
import { AA, MAIN } from "../core/cell.ts";
import type { Grade } from "../core/doctor/grade.ts";
import { usageError } from "../core/errors.ts";
import { firstContrast, makePlan } from "../core/make-plan.ts";
import type { Plan } from "../core/plan.ts";
import { type Profile, PROFILES } from "../core/profile.ts";
import { type Given, settle, type Settled } from "../core/settle.ts";
import { knownNames, unknownName } from "../core/unknown-name.ts";
import { GENERATORS } from "../generators/registry.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { valuesFrom } from "./axis-values.ts";
import { durationFrom, numberFrom, wordsOf } from "./option-values.ts";
import { axisNamed } from "./suites.ts";

const MAX_SEED = 2 ** 32 - 1;
/** Most threads of the load generator: each has serial numbers of its own (suites/suite.ts). */
const MAX_THREADS = 16;

function profileFrom(args: Args): Profile {
  if (args.has("quick") && args.has("thorough")) {
    throw usageError("--quick and --thorough exclude each other", "give one of them");
  }
  return args.has("quick") ? PROFILES.quick : args.has("thorough") ? PROFILES.thorough : PROFILES.default;
}

function generatorFrom(args: Args): string {
  const generator = args.value("generator") ?? "wrk";
  if (!Object.hasOwn(GENERATORS, generator)) throw unknownName("generator", generator, Object.keys(GENERATORS));
  return generator;
}

function labelFrom(args: Args): string {
  const label = args.value("label") ?? MAIN;
  if (!/^[a-z0-9][a-z0-9._-]{0,39}$/i.test(label) || label === AA) {
    throw usageError(`--label "${label}" is no label`, `letters, digits, dots and dashes, and not "${AA}"`);
  }
  return label;
}

/** What is measured, once profile, preset and options have been heard; runtimes still as they were asked for. */
export function settledFrom(args: Args, suite: Suite): Settled {
  const amounts = {
    rounds: numberFrom(args, "rounds", 1, 1000),
    durationMs: durationFrom(args, "duration"),
    warmupMs: durationFrom(args, "warmup"),
    warmupLoads: numberFrom(args, "warmup-loads", 1, 6),
    threads: numberFrom(args, "threads", 1, MAX_THREADS),
  };
  const given = Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== undefined)) as Given;
  return settle(suite, profileFrom(args), args.value("preset"), { ...given, at: valuesFrom(args, suite) });
}

/** Seed and generator, which every plan has. */
export function commonFrom(args: Args): Pick<Plan, "seed" | "generator"> {
  return { seed: numberFrom(args, "seed", 0, MAX_SEED) ?? Date.now() % 2 ** 32, generator: generatorFrom(args) };
}

/** Contrast axes compared on one core: those asked for, else the first, where the machine is not proven quiet. */
function contrastsFrom(
  args: Args,
  suite: Suite,
  { rounds }: Settled,
  grade: Grade["grade"],
  against: boolean,
): string[] | "none" {
  const text = args.value("duets");
  if (text === "none") return "none";
  // Against another revision the question is what changed, not which value is faster; one round answers neither.
  if (text === undefined) return grade === "shared" && !against && rounds > 1 ? firstContrast(suite) : [];
  if (grade === "advisory") {
    throw usageError("duets need two processes pinned to one core, which cannot be done here", "leave out --duets");
  }
  const contrasts = suite.axes.filter(({ role }) => role === "contrast").map(({ name }) => name);
  const words = wordsOf(text);
  if (words.length === 0) throw usageError("--duets names no axis", `known are ${contrasts.join(", ")}`);
  return words.map((word) => {
    const axis = axisNamed(suite, word);
    if (axis?.role === "contrast") return axis.name;
    throw usageError(`suite "${suite.name}" has no contrast axis "${word}"`, knownNames(word, contrasts));
  });
}

/**
 * Makes the plan of `all` and `run`. Throws a usage error for anything that cannot be measured.
 * @param settled with the labels of runtimes in place of what was asked for
 * @param against label of another revision to measure beside this one
 */
export async function planFrom(
  args: Args,
  { suite, module }: LoadedSuite,
  settled: Settled,
  grade: Grade["grade"],
  against?: string,
): Promise<Plan> {
  const contrasts = contrastsFrom(args, suite, settled, grade, against !== undefined);
  const labels = contrasts !== "none" && against !== undefined && grade !== "advisory";
  // A quick look makes no comparisons on one core unless they are what it is for.
  const asked = against !== undefined || args.value("duets") !== undefined;
  return await makePlan(suite, {
    settled: { ...settled, ensembleMs: asked ? Math.max(1_000, settled.ensembleMs) : settled.ensembleMs },
    module,
    label: labelFrom(args),
    against,
    contrasts: contrasts === "none" ? [] : contrasts,
    labels,
    ...commonFrom(args),
  });
}
