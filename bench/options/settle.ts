import type { Preset, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { inOrder } from "../plan/points.ts";
import type { Profile, Settled } from "../plan/profile.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";

/** Any part of a preset: amounts, and the values of axes. */
export type Given = Omit<Preset, "title">;

/** Options that are amounts, each with the field it is of what was given. */
export const AMOUNTS = {
  rounds: "rounds",
  duration: "durationMs",
  warmup: "warmupMs",
  "warmup-loads": "warmupLoads",
  threads: "threads",
  generator: "generator",
} as const satisfies Readonly<Record<string, keyof Given>>;

/** Who may say amounts and values, the last one winning. What a config names itself is the ground its other keys stand on. */
export const LAYERS = [
  "defaults",
  "profile of the config",
  "preset of the config",
  "config",
  "profile",
  "preset",
  "flags",
] as const;
type Layer = (typeof LAYERS)[number];

/** What a config says of how much is measured. */
export interface FromConfig {
  readonly given: Given;
  /** Whether the profile and the preset are its own too. */
  readonly profile: boolean;
  readonly preset: boolean;
}

/**
 * Settles what is measured, layer by layer: see {@link LAYERS}. The profile has with it what the suite changes for `--quick`.
 * Throws a usage error for a preset the suite does not have.
 * @param flags what was given by hand
 */
export function settle(
  suite: Suite,
  profile: Profile,
  preset: string | undefined,
  flags: Given,
  config?: FromConfig,
): Settled {
  const { rounds, durationMs } = profile;
  const profileLayer: Layer = config?.profile ? "profile of the config" : "profile";
  const presetLayer: Layer = config?.preset ? "preset of the config" : "preset";
  const layers: Readonly<Partial<Record<Layer, Given>>> = {
    defaults: { rounds, durationMs, warmupLoads: 1, generator: suite.generator ?? "wrk" },
    [profileLayer]: profile.name === "default"
      ? {}
      : { rounds, durationMs, ...(profile.name === "quick" ? suite.quick : {}) },
    [presetLayer]: presetOf(suite, preset),
    config: config?.given ?? {},
    flags,
  };
  const sayer = (key: keyof Given, among: readonly Layer[] = LAYERS) =>
    among.findLast((layer) => layers[layer]?.[key] !== undefined);
  const last = <K extends keyof Given>(key: K, among?: readonly Layer[]) => layers[sayer(key, among) ?? "flags"]?.[key];
  const amounts = (among?: readonly Layer[]) =>
    (["rounds", "durationMs", "warmupMs", "warmupLoads"] as const).map((key) => last(key, among));
  const changed =
    String(amounts()) !== String(amounts(LAYERS.filter((layer) => layer !== "config" && layer !== "flags")));
  const settledRounds = last("rounds")!;
  const warmupMs = last("warmupMs"), expected_ms = suite.expectedWarmupMs;
  const requests = last("requests");
  const isAfter = (layer: Layer | undefined, other: Layer | undefined) =>
    LAYERS.indexOf(layer ?? "defaults") > LAYERS.indexOf(other ?? "defaults");
  // Rounds that no profile says are meant for rates, too.
  const ofProfile = ["defaults", profileLayer].includes(sayer("rounds")!);
  return {
    values: Object.fromEntries(suite.axes.map((axis) => {
      const chosen = LAYERS.findLast((layer) => layers[layer]?.at?.[axis.name] !== undefined);
      return [axis.name, inOrder(axis, chosen === undefined ? axis.values : layers[chosen]!.at![axis.name]!)];
    })),
    rounds: settledRounds,
    durationMs: last("durationMs")!,
    aloneRounds: ofProfile ? Math.min(profile.aloneRounds, settledRounds) : settledRounds,
    ...(profile.spareRounds === undefined ? {} : { spareRounds: profile.spareRounds }),
    ensembleMs: profile.ensembleMs,
    oneCondition: profile.oneCondition,
    warmup: warmupMs === undefined
      ? { kind: "steady", most_ms: THRESHOLDS.warmupMostMs, ...(expected_ms === undefined ? {} : { expected_ms }) }
      : { kind: "fixed", ms: warmupMs, loads: last("warmupLoads")! },
    threads: last("threads") ?? null,
    profile: changed ? `${profile.name}, changed` : profile.name,
    preset: preset ?? null,
    generator: last("generator")!,
    ...(requests === undefined || isAfter(sayer("durationMs"), sayer("requests")) ? {} : { requests }),
    ...(config === undefined ? {} : {
      overruled: [
        ...Object.entries(AMOUNTS).filter(([, key]) => config.given[key] !== undefined && isAfter(sayer(key), "config"))
          .map(([option]) => option),
        ...Object.keys(config.given.at ?? {}).filter((name) =>
          isAfter(LAYERS.findLast((layer) => layers[layer]?.at?.[name] !== undefined), "config")
        ),
      ],
    }),
  };
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
