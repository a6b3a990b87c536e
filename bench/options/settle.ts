import type { Axis, Preset, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { whyNot } from "../generators/refuse.ts";
import { MEASURING } from "../generators/registry.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { inOrder } from "../plan/points.ts";
import { type Profile, PROFILES, type Settled } from "../plan/profile.ts";
import { MAIN, RATE } from "../record/cell.ts";
import { optionName } from "../plan/plan-parts.ts";
import { AMOUNT_OPTIONS, AMOUNTS } from "../record/ranges.ts";
import type { Args, Source } from "./args.ts";
import { valuesGiven } from "./axis-values.ts";
import { openRates } from "./extra-axes.ts";
import type { CpuOptions } from "../plan/placement.ts";
import type { HostOptions } from "../plan/plan-actions.ts";

/** Any part of a preset: amounts, and the values of axes. */
export type Given = { readonly [K in Exclude<keyof Preset, "title">]?: Preset[K] | undefined };

/** Choices for a plan; those left out have a default. */
interface Choices extends Partial<Pick<Settled, "seed" | "replyMs" | "restMs" | "label" | "like" | "schedule">> {
  readonly profile: Profile;
  readonly preset?: string | undefined;
  readonly alone?: boolean | undefined;
  readonly given?: Given | undefined;
  /** Time for the answer in ms. */
  readonly timeMs?: number | undefined;
  /** The command line with its config, whose amounts and values stand in place of `given`. */
  readonly args?: Args;
}

/** Places in the order of choices: the highest wins. A profile or preset that a config names is below its other keys. */
const RANKS = { default: 0, configProfile: 1, configPreset: 2, config: 3, profile: 4, preset: 5, hand: 6 };

/** Choices of one origin: a function for its amounts, and one for the values of an axis. */
interface Layer {
  readonly rank: number;
  readonly amount: (name: keyof typeof AMOUNTS) => unknown;
  readonly values: (axis: Axis) => readonly Value[] | undefined;
}

/**
 * Settles the amounts and values of a plan: defaults, config, profile, preset, single options, of which the last wins. A
 * profile has with it the changes of the suite for `--quick`.
 *
 * @throws BenchError (usage) for a preset that the suite does not have and for an unknown generator
 */
export function settle(suite: Suite, choice: Choices): Settled {
  const { profile, given = {}, args } = choice;
  const from = args?.from ?? (() => undefined);
  const part = (given: Given, rank: number): Layer => (
    { rank, amount: (name) => given[name], values: ({ name }) => given.at?.[name] }
  );
  const ofArgs = (source: Source, rank: number): Layer => ({
    rank,
    amount: (name) => from(AMOUNTS[name].option) === source ? args!.get(AMOUNTS[name].option) : undefined,
    values: (axis) => from(optionName(axis.name)) === source ? valuesGiven(args!, suite, axis) : undefined,
  });
  const { rounds, durationMs } = profile;
  const ofProfile = from(profile.name) === "flag" ? RANKS.profile : RANKS.configProfile;
  const ofPreset = from("preset") === "config" ? RANKS.configPreset : RANKS.preset;
  const shared = [
    part({ rounds, durationMs, warmupLoads: 1, generator: suite.generator ?? "wrk" }, RANKS.default),
    part(profile.name === "default" ? {} : { rounds, durationMs }, ofProfile),
    part(profile.name === "quick" ? suite.quick ?? {} : {}, ofProfile),
    part(presetOf(suite, choice.preset), ofPreset),
  ].toSorted((a, b) => a.rank - b.rank);
  const ofConfig = ofArgs("config", RANKS.config);
  const layers = [...shared, ofConfig, args === undefined ? part(given, RANKS.hand) : ofArgs("flag", RANKS.hand)]
    .toSorted((a, b) => a.rank - b.rank);
  /** The value of the highest layer that has one: of equal ranks the last. */
  const winner = <T>(of: (layer: Layer) => T | undefined, some: readonly Layer[] = layers) => {
    const layer = some.findLast((each) => of(each) !== undefined);
    return { value: layer && of(layer), rank: layer?.rank ?? RANKS.default };
  };
  const ofAmount = (name: keyof typeof AMOUNTS, some?: readonly Layer[]) => winner(({ amount }) => amount(name), some);
  const amount = <N extends keyof typeof AMOUNTS>(name: N) => ofAmount(name).value as Preset[N];
  const isChanged = (["rounds", "durationMs", "warmupMs", "warmupLoads"] as const)
    .some((name) => amount(name) !== ofAmount(name, shared).value);
  const isUsual = ({ rank }: { readonly rank: number }) => [RANKS.default, ofProfile].includes(rank);
  // Rounds that no profile chose are meant for rates, too.
  const isOfProfile = isUsual(ofAmount("rounds"));
  const byHand = (name: "rounds" | "durationMs") => isUsual(ofAmount(name)) ? undefined : amount(name);
  const generator = amount("generator")!;
  if (!Object.hasOwn(MEASURING, generator)) throw unknownName("generator", generator, Object.keys(MEASURING));
  const axes = suite.axes.map((axis) => ({ axis, ...winner(({ values }) => values(axis)) }));
  return {
    values: Object.fromEntries(axes.map(({ axis, value }) => [axis.name, inOrder(axis, value ?? axis.values)])),
    rounds: amount("rounds")!,
    durationMs: amount("durationMs")!,
    aloneRounds: isOfProfile ? Math.min(profile.aloneRounds, amount("rounds")!) : amount("rounds")!,
    spareRounds: profile.spareRounds,
    ensembleMs: byHand("durationMs") ?? profile.ensembleMs,
    timeMs: choice.timeMs ?? profile.timeMs,
    byHand: { rounds: byHand("rounds"), windowMs: byHand("durationMs") },
    oneCondition: profile.oneCondition,
    warmup: warmupOf(suite, amount("warmupMs"), amount("warmupLoads")!),
    threads: amount("threads") ?? null,
    profile: isChanged ? `${profile.name}, changed` : profile.name,
    preset: choice.preset ?? null,
    generator,
    whyNotSent: (plan) => whyNot(MEASURING[generator]!, plan),
    seed: choice.seed ?? Date.now() % 2 ** 32,
    replyMs: choice.replyMs,
    restMs: choice.restMs,
    label: choice.label ?? MAIN,
    together: !choice.alone,
    like: choice.like ?? false,
    schedule: choice.schedule,
    free: profile.name === "quick" && isOfProfile ? axes.filter(isUsual).map(({ axis }) => axis.name) : undefined,
    overruled: [
      ...(Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[]).filter((name) =>
        ofConfig.amount(name) !== undefined && ofAmount(name).rank > RANKS.config
      ).map((name) => AMOUNTS[name].option),
      ...axes.filter(({ axis, rank }) => ofConfig.values(axis) !== undefined && rank > RANKS.config)
        .map(({ axis }) => axis.name),
    ],
  };
}

function warmupOf({ expectedWarmupMs }: Suite, ms: number | undefined, loads: number): Settled["warmup"] {
  if (ms !== undefined) return { kind: "fixed", ms, loads };
  const expected = expectedWarmupMs === undefined ? {} : { expected_ms: expectedWarmupMs };
  return { kind: "steady", most_ms: THRESHOLDS.warmupMostMs, ...expected };
}

function presetOf({ name, presets = {} }: Suite, preset: string | undefined): Given {
  if (preset === undefined) return {};
  if (Object.hasOwn(presets, preset)) return presets[preset]!;
  const names = Object.keys(presets);
  throw usageError(
    `suite "${name}" has no preset "${preset}"`,
    names.length === 0 ? "it has none: leave out --preset" : `its presets are ${names.join(", ")}`,
  );
}

const SAY_HOW_MUCH = [
  "quick",
  "thorough",
  "preset",
  "rate",
  "alone",
  "time",
  ...AMOUNT_OPTIONS.map(({ option }) => option),
] as const;

/** True if `bench run` takes --quick by itself: no suite, no amounts and no values of axes were given by hand. */
export const takesQuick = ({ command, words, axes, has }: Args): boolean =>
  command === "run" && words.length === 0 && !SAY_HOW_MUCH.some(has) &&
  axes("flag").length === 0;

/** Settles the choices of a command line; runtimes are still as they were written. */
export function settledFrom(args: Args, suite: Suite): Settled {
  if (args.has("quick") && args.has("thorough")) {
    throw usageError("--quick and --thorough exclude each other", "give one of them");
  }
  const unsaid = takesQuick(args);
  const timeMs = args.get("time");
  const isQuick = unsaid || args.has("quick") || timeMs !== undefined;
  const profile = args.has("thorough") ? "thorough" : isQuick ? "quick" : "default";
  const settled = settle(suite, {
    profile: PROFILES[profile],
    preset: args.get("preset"),
    timeMs,
    args,
    ...planChoicesFrom(args),
  });
  const loads = args.get("warmup-loads");
  if (loads !== undefined && settled.warmup.kind === "steady") {
    throw usageError(
      `--warmup-loads "${loads}" counts loads of --warmup, which is not given`,
      `--warmup 1s --warmup-loads ${loads}, or neither: servers then warm up until they are steady`,
    );
  }
  if (args.from("schedule") === "flag" && openRates(settled.values[RATE]).length === 0) {
    const schedule = args.get("schedule");
    throw usageError(`--schedule "${schedule}" is of rates, and none is given`, `--rate 1000 --schedule ${schedule}`);
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
  schedule: args.get("schedule"),
});

/** The CPUs that were chosen by hand or by a config. */
export function cpuOptionsFrom(args: Args): CpuOptions {
  const [serverCpus, loadCpus] = [args.get("server-cpus"), args.get("load-cpus")];
  return present({ serverCpus, loadCpus, forceWorkers: args.has("force-workers") || null });
}

/** The hosts and addresses that were given by hand. */
export const hostOptionsFrom = (args: Args): HostOptions => ({
  server: args.get("server-host"),
  load: args.get("load-host"),
  address: args.get("server-address"),
  service: args.get("service-host"),
  serviceAddress: args.get("service-address"),
});
