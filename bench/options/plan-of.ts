import type { Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { optionName } from "../plan/axis-options.ts";
import type { Grade } from "../record/finding.ts";
import { type Choices, makePlan } from "../plan/make-plan.ts";
import { planAlongRates } from "../plan/plan-along-rates.ts";
import { CLOSED, RATE } from "../judge/open-loop.ts";
import { PROFILES, type Settled } from "../plan/profile.ts";
import { whyNot } from "../generators/refuse.ts";
import { MEASURING } from "../generators/registry.ts";
import { MAIN } from "../record/cell.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { SuiteSource } from "../result/suite-identity.ts";
import type { Args } from "./args.ts";
import { valuesFrom } from "./axis-values.ts";
import { AMOUNTS, type Given, settle } from "./settle.ts";
import { openRates, rateGenerator, whyNoRate } from "./with-rate.ts";

/** Options that say how much is measured. */
const SAY_HOW_MUCH = [
  "all",
  "quick",
  "thorough",
  "preset",
  "rate",
  "alone",
  ...Object.keys(AMOUNTS) as "rounds"[],
] as const;

/** Whether `bench run` takes --quick by itself: where no suite is named, no values of axes by hand, nor how much. */
export const takesQuick = ({ command, words, axes, has, from }: Args): boolean =>
  command === "run" && words.length === 0 && !SAY_HOW_MUCH.some(has) &&
  ![...axes.keys()].some((axis) => from(axis) === "flag");

/** What is measured, once profile, preset and options have been heard; runtimes still as they were asked for. */
export function settledFrom(args: Args, suite: Suite): Settled {
  if (args.has("quick") && args.has("thorough")) {
    throw usageError("--quick and --thorough exclude each other", "give one of them");
  }
  const unsaid = takesQuick(args);
  const named = unsaid || args.has("quick") ? "quick" : args.has("thorough") ? "thorough" : "default";
  const at = Object.entries(valuesFrom(args, suite));
  const part = (from: "flag" | "config"): Given => ({
    ...Object.fromEntries(
      Object.entries(AMOUNTS).filter(([option]) => args.from(option) === from)
        .map(([option, field]) => [field, args.get(option as "rounds")]),
    ),
    at: Object.fromEntries(at.filter(([name]) => args.from(optionName(name)) === from)),
  });
  const ofConfig = (option: string) => args.from(option) === "config";
  const config = { given: part("config"), profile: unsaid || ofConfig(named), preset: ofConfig("preset") };
  const settled = settle(
    suite,
    PROFILES[named],
    args.get("preset"),
    part("flag"),
    config,
  );
  const loads = args.get("warmup-loads");
  if (loads !== undefined && settled.warmup.kind === "steady") {
    throw usageError(
      `--warmup-loads "${loads}" counts loads of --warmup, which is not given`,
      `--warmup 1s --warmup-loads ${loads}, or neither: servers then warm up until they are steady`,
    );
  }
  return settled;
}

/** What is asked of a plan besides what was settled. */
export interface PlanWish {
  readonly seed?: number | undefined;
  /** When a reply counts as missing, in milliseconds. */
  readonly replyMs?: number | undefined;
  /** For how long servers rest after their load, in milliseconds. */
  readonly restMs?: number | undefined;
  readonly label?: string | undefined;
  /** Label of another revision to measure beside this one. */
  readonly against?: string | undefined;
  /** Measure every cell alone. */
  readonly alone?: boolean | undefined;
  /** Compare only cells that use their services alike. */
  readonly like?: boolean | undefined;
}

/** What of a command line is asked of a plan besides what was settled. */
export const planWishFrom = (args: Args): PlanWish => ({
  seed: args.get("seed"),
  replyMs: args.get("timeout"),
  restMs: args.get("rest"),
  label: args.get("label"),
  alone: args.has("alone"),
  like: args.has("like"),
});

/** Seed and generator, which every plan has. Throws a usage error for a generator there is not. */
export function commonOf(
  generator: string,
  { seed, replyMs, restMs }: PlanWish,
): Pick<Choices, "seed" | "generator" | "replyMs" | "restMs" | "whyNotSent"> {
  if (!Object.hasOwn(MEASURING, generator)) throw unknownName("generator", generator, Object.keys(MEASURING));
  return {
    seed: seed ?? Date.now() % 2 ** 32,
    generator,
    replyMs,
    restMs,
    whyNotSent: (requests) => whyNot(MEASURING[generator]!, requests),
  };
}

/**
 * Plans a matrix. Throws a usage error for anything that cannot be measured.
 *
 * @param settled with the labels of runtimes in place of the words of the user
 * @param grade of the hosts: cells are measured together if processes can be pinned to one core
 */
export async function planOf(
  { suite, origin }: { readonly suite: Suite; readonly origin: SuiteSource },
  settled: Settled,
  wish: PlanWish,
  grade: Grade["grade"],
): Promise<Plan> {
  const common = commonOf(settled.generator, wish);
  const { abilities } = MEASURING[settled.generator]!;
  const rates = openRates(settled.values[RATE]);
  const open = rates.length === 0 ? null : rateGenerator(settled.generator);
  const { label = MAIN, against, alone = false, like = false } = wish;
  if (label === against) {
    throw usageError(`--label "${label}" is the label of the revision it is held against`, "choose another label");
  }
  const { requests, ...timed } = settled;
  // A rate is kept for a time.
  const counts = requests !== undefined && open === null && abilities.requests;
  const plan = await makePlan(suite, {
    settled: counts ? settled : open === null ? timed : closedOnly(timed),
    ...origin,
    label,
    against,
    like,
    together: abilities.manyServers && !alone && open === null && grade !== "advisory" &&
      settled.rounds >= thresholds.leastRounds.value,
    ...common,
    whyNotSent: (requests) => common.whyNotSent?.(requests) ?? (open === null ? null : whyNoRate(open, requests)),
  });
  if (open === null) return plan;
  return await planAlongRates(suite, plan, rates, { axis: "rate", generator: open, limit: null, connections: [] });
}

/** Closed loops alone, all in every round: rates follow on the same servers. */
const closedOnly = (settled: Settled): Settled => ({
  ...settled,
  values: { ...settled.values, [RATE]: [CLOSED] },
  aloneRounds: settled.rounds,
  oneCondition: false,
});
