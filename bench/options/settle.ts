import type { Preset, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { whyNot } from "../generators/refuse.ts";
import { MEASURING } from "../generators/registry.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { inOrder } from "../plan/points.ts";
import type { Profile, Settled } from "../plan/profile.ts";
import { MAIN } from "../record/cell.ts";
import { AMOUNT_OPTIONS } from "../record/ranges.ts";

/** Any part of a preset: amounts, and the values of axes. */
export type Given = { readonly [K in Exclude<keyof Preset, "title">]?: Preset[K] | undefined };

type AsChosen = {
  readonly [K in "seed" | "replyMs" | "restMs" | "label" | "like" | "schedule"]?: Settled[K] | undefined;
};

/** Choices for a plan; those left out have a default. */
interface Choices extends AsChosen {
  readonly profile: Profile;
  readonly preset?: string | undefined;
  readonly alone?: boolean | undefined;
  readonly given?: Given | undefined;
  /** Time for the answer in ms. */
  readonly timeMs?: number | undefined;
  /** The choices that a config made, and whether profile and preset are among them; left out if none was read. */
  readonly config?: { readonly profile: boolean; readonly preset: boolean; readonly given: Given };
}

/** Places in the order of choices: the highest wins. A profile or preset that a config names is below its other keys. */
const RANKS = { default: 0, configProfile: 1, configPreset: 2, config: 3, profile: 4, preset: 5, hand: 6 };

type Layer = readonly [rank: number, given: Given];

/**
 * Settles the amounts and values of a plan: defaults, config, profile, preset, single options, of which the last wins. A
 * profile has with it the changes of the suite for `--quick`.
 *
 * @throws BenchError (usage) for a preset that the suite does not have and for an unknown generator
 */
export function settle(suite: Suite, choice: Choices): Settled {
  const { profile, given = {}, config, replyMs, restMs } = choice;
  const { rounds, durationMs } = profile;
  const ofProfile = config?.profile ? RANKS.configProfile : RANKS.profile;
  const changes = profile.name === "quick" ? suite.quick : {};
  const shared: readonly Layer[] = [
    [RANKS.default, { rounds, durationMs, warmupLoads: 1, generator: suite.generator ?? "wrk" }],
    [ofProfile, profile.name === "default" ? {} : { rounds, durationMs, ...changes }],
    [config?.preset ? RANKS.configPreset : RANKS.preset, presetOf(suite, choice.preset)],
  ];
  const { amounts, at, rankOf } = merged([...shared, [RANKS.config, config?.given ?? {}], [RANKS.hand, given]]);
  const unchanged = merged(shared).amounts;
  const isChanged = (["rounds", "durationMs", "warmupMs", "warmupLoads"] as const)
    .some((name) => amounts[name] !== unchanged[name]);
  // Rounds that no profile chose are meant for rates, too.
  const isOfProfile = [RANKS.default, ofProfile].includes(rankOf("rounds")!);
  const isCounted = amounts.requests !== undefined && rankOf("durationMs")! <= rankOf("requests")!;
  const generator = amounts.generator!;
  if (!Object.hasOwn(MEASURING, generator)) throw unknownName("generator", generator, Object.keys(MEASURING));
  const timeMs = choice.timeMs ?? profile.timeMs;
  const isByHand = (name: "rounds" | "durationMs") => ![RANKS.default, ofProfile].includes(rankOf(name)!);
  const byHand = {
    ...(isByHand("rounds") ? { rounds: amounts.rounds! } : {}),
    ...(isByHand("durationMs") ? { windowMs: amounts.durationMs! } : {}),
  };
  const isOverruled = (value: unknown, rank: number | undefined) => value !== undefined && rank! > RANKS.config;
  return {
    values: Object.fromEntries(suite.axes.map((axis) => [axis.name, inOrder(axis, at[axis.name] ?? axis.values)])),
    rounds: amounts.rounds!,
    durationMs: amounts.durationMs!,
    aloneRounds: isOfProfile ? Math.min(profile.aloneRounds, amounts.rounds!) : amounts.rounds!,
    ...(profile.spareRounds === undefined ? {} : { spareRounds: profile.spareRounds }),
    ensembleMs: byHand.windowMs ?? profile.ensembleMs,
    ...(timeMs === undefined ? {} : { timeMs, byHand }),
    oneCondition: profile.oneCondition,
    warmup: warmupOf(suite, amounts.warmupMs, amounts.warmupLoads!),
    threads: amounts.threads ?? null,
    profile: isChanged ? `${profile.name}, changed` : profile.name,
    preset: choice.preset ?? null,
    generator,
    whyNotSent: (plan) => whyNot(MEASURING[generator]!, plan),
    ...(isCounted ? { requests: amounts.requests! } : {}),
    seed: choice.seed ?? Date.now() % 2 ** 32,
    ...(replyMs === undefined ? {} : { replyMs }),
    ...(restMs === undefined ? {} : { restMs }),
    label: choice.label ?? MAIN,
    together: !choice.alone,
    like: choice.like ?? false,
    schedule: choice.schedule,
    ...(profile.name !== "quick" || !isOfProfile ? {} : {
      free: suite.axes.map(({ name }) => name).filter((name) => [undefined, ofProfile].includes(rankOf("at", name))),
    }),
    ...(config === undefined ? {} : {
      overruled: [
        ...AMOUNT_OPTIONS.filter(({ field }) => isOverruled(config.given[field], rankOf(field)))
          .map(({ option }) => option),
        ...Object.keys(config.given.at ?? {}).filter((axis) => isOverruled(true, rankOf("at", axis))),
      ],
    }),
  };
}

/** Merges layers of choices, the highest last, and knows the rank of each amount and of each axis's values. */
function merged(layers: readonly Layer[]) {
  const ranks = new Map<string, number>();
  const amounts: Omit<Given, "at"> = {};
  const values: Record<string, readonly Value[]> = {};
  for (const [rank, { at = {}, ...some }] of layers.toSorted(([a], [b]) => a - b)) {
    const said = Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined));
    Object.assign(amounts, said);
    Object.assign(values, at);
    for (const name of Object.keys(said)) ranks.set(name, rank);
    for (const axis of Object.keys(at)) ranks.set(`at ${axis}`, rank);
  }
  const rankOf = (name: keyof Given, axis?: string) => ranks.get(axis === undefined ? name : `${name} ${axis}`);
  return { amounts, at: values, rankOf };
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
