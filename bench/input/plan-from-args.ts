import type { Suite } from "../../suites/suite.ts";
import type { Args } from "./read-args.ts";
import { optionName } from "../core/axis-options.ts";
import { AA, MAIN } from "../record/cell.ts";
import type { Grade } from "../record/finding.ts";
import { usageError } from "../basics/errors.ts";
import { type Choices, makePlan } from "../core/make-plan.ts";
import type { OwnSpec } from "../record/own-spec.ts";
import type { Plan } from "../record/plan.ts";
import { type Profile, PROFILES } from "../core/profile.ts";
import { type Given, settle } from "./settle.ts";
import type { Settled } from "../core/settled.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { whyNot } from "../generators/refuse.ts";
import { GENERATORS } from "../generators/registry.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { suiteSource } from "./own/app-source.ts";
import { valuesFrom } from "./axis-values.ts";
import { durationFrom, numberFrom } from "./option-values.ts";
import { rateAxis, refuseRates } from "./with-rate.ts";

/** Largest seed. */
export const MAX_SEED = 2 ** 32 - 1;
/** Most threads of the load generator: each has serial numbers of its own (suites/suite.ts). */
const MAX_THREADS = 16;

function profileFrom(args: Args): Profile {
  if (args.has("quick") && args.has("thorough")) {
    throw usageError("--quick and --thorough exclude each other", "give one of them");
  }
  return args.has("quick") ? PROFILES.quick : args.has("thorough") ? PROFILES.thorough : PROFILES.default;
}

/** The option that says an amount or an axis: `durationMs` is `duration`. */
const optionOf = (key: string) => optionName(key.replace(/^(duration|warmup)Ms$/, "$1"));

function generatorFrom(args: Args, preset: string | undefined): string {
  const byHand = args.fromConfig.has("generator") ? undefined : args.value("generator");
  const generator = byHand ?? preset ?? args.value("generator") ?? "wrk";
  if (!Object.hasOwn(GENERATORS, generator)) throw unknownName("generator", generator, Object.keys(GENERATORS));
  return generator;
}

function labelFrom(args: Args): string {
  const label = args.value("label") ?? MAIN;
  if (!/^[a-z0-9][a-z0-9._-]{0,39}$/i.test(label) || label.toLowerCase() === AA) {
    throw usageError(
      `--label "${label}" is no label`,
      `letters, digits, dots, underscores and dashes, and not "${AA}"`,
    );
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
  const generator = args.fromConfig.has("generator") ? args.value("generator") : undefined;
  const said = Object.entries({ ...amounts, generator }).filter(([, amount]) => amount !== undefined);
  const at = Object.entries(valuesFrom(args, suite));
  const part = (configs: boolean) => {
    const isOf = ([name]: readonly [string, unknown]) => args.fromConfig.has(optionOf(name)) === configs;
    return { ...Object.fromEntries(said.filter(isOf)), at: Object.fromEntries(at.filter(isOf)) } as Given;
  };
  const profile = args.fromConfig.has("quick") || args.fromConfig.has("thorough");
  const config = args.fromConfig.size === 0
    ? undefined
    : { given: part(true), profile, preset: args.fromConfig.has("preset") };
  const settled = settle(suite, profileFrom(args), args.value("preset"), part(false), config);
  const loads = amounts.warmupLoads;
  if (loads !== undefined && settled.warmup.kind === "steady") {
    throw usageError(
      `--warmup-loads "${loads}" counts loads of --warmup, which is not given`,
      `--warmup 1s --warmup-loads ${loads}, or neither: servers then warm up until they are steady`,
    );
  }
  return settled;
}

/** Seed and generator, which every plan has. */
export function commonFrom(
  args: Args,
  preset?: string,
): Pick<Choices, "seed" | "generator" | "replyMs" | "whyNotSent"> {
  const generator = generatorFrom(args, preset);
  return {
    seed: numberFrom(args, "seed", 0, MAX_SEED) ?? Date.now() % 2 ** 32,
    generator,
    replyMs: durationFrom(args, "timeout"),
    whyNotSent: (requests) => whyNot(GENERATORS[generator]!, requests),
  };
}

/** Whether cells are measured together on one core: where that can be, and there are rounds enough for a verdict. */
function togetherFrom(args: Args, { rounds }: Settled, grade: Grade["grade"], generator: string): boolean {
  return GENERATORS[generator]!.abilities.manyServers && !args.has("alone") && grade !== "advisory" &&
    rounds >= thresholds.leastRounds.value;
}

/**
 * Makes the plan of `all` and `run`. Throws a usage error for anything that cannot be measured.
 * @param settled with the labels of runtimes in place of what was asked for
 * @param against label of another revision to measure beside this one
 * @param own what the suite was made from, where the command line made it
 */
export async function planFrom(
  args: Args,
  { suite, module, named }: LoadedSuite,
  settled: Settled,
  grade: Grade["grade"],
  against?: string,
  own?: OwnSpec,
): Promise<Plan> {
  const common = commonFrom(args, settled.generator);
  refuseRates(suite, settled.values, common.generator);
  const label = labelFrom(args);
  if (label === against) {
    throw usageError(`--label "${label}" is the label of the revision it is held against`, "choose another label");
  }
  const { requests, ...timed } = settled;
  // A rate is kept for a time.
  const counts = requests !== undefined && !suite.axes.includes(rateAxis) &&
    GENERATORS[common.generator]!.abilities.requests;
  return await makePlan(suite, {
    settled: counts ? { ...timed, requests } : timed,
    module,
    source: named ? suiteSource(module, process.cwd()) : undefined,
    label,
    against,
    own,
    together: togetherFrom(args, settled, grade, common.generator),
    ...common,
  });
}
