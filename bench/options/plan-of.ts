import type { Protocol } from "../../servers/protocol.ts";
import { CLOSED, PROTOCOL_AXIS, RATE } from "../record/cell.ts";
import type { RequestPlan, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { optionName } from "../plan/axis-options.ts";
import type { Grade } from "../record/finding.ts";
import { makePlan } from "../plan/make-plan.ts";
import { planAlongRates } from "../plan/plan-along-rates.ts";
import { PROFILES, type Settled } from "../plan/profile.ts";
import { MEASURING } from "../generators/registry.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { SuiteSource } from "../result/suite-identity.ts";
import type { Args } from "./args.ts";
import { valuesFrom } from "./axis-values.ts";
import { AMOUNTS, settle } from "./settle.ts";
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

/** True if `bench run` takes --quick by itself: no suite, no amounts and no values of axes were given by hand. */
export const takesQuick = ({ command, words, axes, has, from }: Args): boolean =>
  command === "run" && words.length === 0 && !SAY_HOW_MUCH.some(has) &&
  ![...axes.keys()].some((axis) => from(axis) === "flag");

/** Settles the choices of a command line; runtimes are still as they were written. */
export function settledFrom(args: Args, suite: Suite): Settled {
  if (args.has("quick") && args.has("thorough")) {
    throw usageError("--quick and --thorough exclude each other", "give one of them");
  }
  const unsaid = takesQuick(args);
  const profile = unsaid || args.has("quick") ? "quick" : args.has("thorough") ? "thorough" : "default";
  const isOfConfig = (option: string) => args.from(option) === "config";
  const amounts = Object.entries(AMOUNTS).filter(([option]) => args.from(option) !== undefined);
  const settled = settle(suite, {
    profile: PROFILES[profile],
    preset: args.get("preset"),
    given: {
      ...Object.fromEntries(amounts.map(([option, field]) => [field, args.get(option as "rounds")])),
      at: valuesFrom(args, suite),
    },
    ofConfig: {
      profile: unsaid || isOfConfig(profile),
      preset: isOfConfig("preset"),
      has: (name) => isOfConfig(Object.hasOwn(AMOUNTS, name) ? name : optionName(name)),
    },
    ...planChoicesFrom(args),
  });
  const loads = args.get("warmup-loads");
  if (loads !== undefined && settled.warmup.kind === "steady") {
    throw usageError(
      `--warmup-loads "${loads}" counts loads of --warmup, which is not given`,
      `--warmup 1s --warmup-loads ${loads}, or neither: servers then warm up until they are steady`,
    );
  }
  return settled;
}

/** The choices of a command line that no profile and no preset changes. */
export const planChoicesFrom = (args: Args) => ({
  seed: args.get("seed"),
  replyMs: args.get("timeout"),
  restMs: args.get("rest"),
  label: args.get("label"),
  alone: args.has("alone"),
  like: args.has("like"),
});

/** The hosts' grade and the other revision, which a matrix is planned for. */
interface MatrixPlace {
  /** Cells are measured together if processes can be pinned to one core. */
  readonly grade: Grade["grade"];
  /** Label of the other revision. */
  readonly against?: string | undefined;
}

/**
 * Plans a matrix. Throws a usage error for anything that cannot be measured.
 *
 * @param settled with the labels of runtimes in place of the words of the user
 */
export async function planOf(
  { suite, origin }: { readonly suite: Suite; readonly origin: SuiteSource },
  settled: Settled,
  { grade, against }: MatrixPlace,
): Promise<Plan> {
  const { label, generator, rounds, requests, ...others } = settled;
  const { abilities } = MEASURING[generator]!;
  const rates = openRates(settled.values[RATE]);
  const open = rates.length === 0
    ? null
    : rateGenerator(generator, (settled.values[PROTOCOL_AXIS] ?? []) as Protocol[]);
  if (label === against) {
    throw usageError(`--label "${label}" is the label of the revision it is held against`, "choose another label");
  }
  // A rate is kept for a time.
  const isCounted = requests !== undefined && open === null && abilities.requests;
  const closed = {
    values: { ...settled.values, [RATE]: [CLOSED] },
    ...{ aloneRounds: rounds, oneCondition: false },
    whyNotSent: (sent: RequestPlan) => settled.whyNotSent(sent) ?? whyNoRate(open!, sent),
  };
  const plan = await makePlan(suite, {
    ...{ ...others, ...origin, label, generator, rounds, against },
    ...(isCounted ? { requests } : {}),
    ...(open === null ? {} : closed),
    together: abilities.manyServers && !settled.alone && open === null && grade !== "advisory" &&
      rounds >= thresholds.leastRounds.value,
  });
  if (open === null) return plan;
  return await planAlongRates(suite, plan, rates, { axis: "rate", generator: open, limit: null, connections: [] });
}
