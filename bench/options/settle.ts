import type { Preset, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { whyNot } from "../generators/refuse.ts";
import { MEASURING } from "../generators/registry.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { inOrder } from "../plan/points.ts";
import type { Profile, Settled } from "../plan/profile.ts";
import { MAIN } from "../record/cell.ts";

/** Any part of a preset: amounts, and the values of axes. */
export type Given = { readonly [K in Exclude<keyof Preset, "title">]?: Preset[K] | undefined };

/** Options that are amounts, each with its field of a preset. */
export const AMOUNTS = {
  rounds: "rounds",
  duration: "durationMs",
  warmup: "warmupMs",
  "warmup-loads": "warmupLoads",
  threads: "threads",
  generator: "generator",
} as const satisfies Readonly<Record<string, keyof Given>>;

/** Choices that a plan takes as they are: those left out have a default. */
type AsChosen = {
  readonly [K in "seed" | "replyMs" | "restMs" | "label" | "alone" | "like" | "schedule"]?: Settled[K] | undefined;
};

/** Choices for a plan, by hand or by a config. */
interface Choices extends AsChosen {
  readonly profile: Profile;
  readonly preset?: string | undefined;
  readonly given?: Given | undefined;
  /** The choices that a config made; left out if none was read. */
  readonly ofConfig?: {
    readonly profile: boolean;
    readonly preset: boolean;
    /** True for options of amounts and for axes that the config chose. */
    readonly has: (optionOrAxis: string) => boolean;
  };
}

/** Places in the order of choices: the highest wins. A profile or preset that a config names is below its other keys. */
const RANKS = { default: 0, configProfile: 1, configPreset: 2, config: 3, profile: 4, preset: 5, hand: 6 };

/**
 * Settles the amounts and values of a plan: defaults, config, profile, preset, single options, of which the last wins. A
 * profile has with it the changes of the suite for `--quick`.
 *
 * @throws BenchError (usage) for a preset that the suite does not have and for an unknown generator
 */
export function settle(suite: Suite, choice: Choices): Settled {
  const { profile, given = {}, ofConfig, replyMs, restMs } = choice;
  const { rounds, durationMs } = profile;
  const quick = profile.name === "quick" ? suite.quick : {};
  const shared: readonly (readonly [rank: number, given: Given])[] = [
    [RANKS.default, { rounds, durationMs, warmupLoads: 1, generator: suite.generator ?? "wrk" }],
    [
      ofConfig?.profile ? RANKS.configProfile : RANKS.profile,
      profile.name === "default" ? {} : { rounds, durationMs, ...quick },
    ],
    [ofConfig?.preset ? RANKS.configPreset : RANKS.preset, presetOf(suite, choice.preset)],
  ];
  const optionOf = new Map(Object.entries(AMOUNTS).map(([option, field]) => [field as string, option]));
  const rankOf = (name: string) => ofConfig?.has(name) ? RANKS.config : RANKS.hand;
  /** A value and its rank; of several values the highest. */
  const highest = <T>(of: (given: Given) => T | undefined, single?: number) => {
    const layers = single === undefined ? shared : [...shared, [single, given] as const];
    const said = layers.flatMap(([rank, each]) => of(each) === undefined ? [] : [{ rank, value: of(each)! }]);
    return said.toSorted((a, b) => a.rank - b.rank).at(-1);
  };
  const amount = <K extends keyof Given>(key: K) => highest((each) => each[key], rankOf(optionOf.get(key) ?? key));
  const changed = (["rounds", "durationMs", "warmupMs", "warmupLoads"] as const).some((key) =>
    amount(key)?.value !== highest((each) => each[key])?.value
  );
  const valuesOn = (axis: string) => highest((each) => each.at?.[axis], rankOf(axis));
  const settledRounds = amount("rounds")!;
  // Rounds that no profile chose are meant for rates, too.
  const isOfProfile = settledRounds.rank === RANKS.default || settledRounds.rank === shared[1]![0];
  const requests = amount("requests");
  const isCounted = requests !== undefined && amount("durationMs")!.rank <= requests.rank;
  const generator = amount("generator")!.value;
  if (!Object.hasOwn(MEASURING, generator)) throw unknownName("generator", generator, Object.keys(MEASURING));
  const isOverruled = (name: string, rank: number | undefined) =>
    ofConfig?.has(name) === true && (rank ?? 0) > RANKS.config;
  return {
    values: Object.fromEntries(suite.axes.map((axis) => [
      axis.name,
      inOrder(axis, valuesOn(axis.name)?.value ?? axis.values),
    ])),
    rounds: settledRounds.value,
    durationMs: amount("durationMs")!.value,
    aloneRounds: isOfProfile ? Math.min(profile.aloneRounds, settledRounds.value) : settledRounds.value,
    ...(profile.spareRounds === undefined ? {} : { spareRounds: profile.spareRounds }),
    ensembleMs: profile.ensembleMs,
    oneCondition: profile.oneCondition,
    warmup: warmupOf(suite, amount("warmupMs")?.value, amount("warmupLoads")!.value),
    threads: amount("threads")?.value ?? null,
    profile: changed ? `${profile.name}, changed` : profile.name,
    preset: choice.preset ?? null,
    generator,
    whyNotSent: (plan) => whyNot(MEASURING[generator]!, plan),
    ...(isCounted ? { requests: requests.value } : {}),
    seed: choice.seed ?? Date.now() % 2 ** 32,
    ...(replyMs === undefined ? {} : { replyMs }),
    ...(restMs === undefined ? {} : { restMs }),
    label: choice.label ?? MAIN,
    alone: choice.alone ?? false,
    like: choice.like ?? false,
    schedule: choice.schedule,
    ...(profile.name !== "quick" || !isOfProfile ? {} : {
      free: suite.axes.map(({ name }) => name).filter((name) =>
        [undefined, shared[1]![0]].includes(valuesOn(name)?.rank)
      ),
    }),
    ...(ofConfig === undefined ? {} : {
      overruled: [
        ...Object.entries(AMOUNTS).filter(([option, key]) => isOverruled(option, amount(key)?.rank))
          .map(([option]) => option),
        ...Object.keys(given.at ?? {}).filter((axis) => isOverruled(axis, valuesOn(axis)?.rank)),
      ],
    }),
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
