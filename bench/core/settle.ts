import type { Preset, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "./errors.ts";
import { inOrder, type Values } from "./points.ts";
import type { Plan } from "./plan.ts";
import type { Profile } from "./profile.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** What was given by hand: any part of a preset, and the values of axes. */
export type Given = Omit<Preset, "title">;

/** How much is measured and at which values, once everything that may change it has been heard. */
export interface Settled {
  readonly values: Values;
  readonly rounds: number;
  /** Of these, in how many cells are measured alone. */
  readonly aloneRounds: number;
  readonly durationMs: number;
  /** Window of an ensemble, for each of its servers. */
  readonly ensembleMs: number;
  /** Whether ensembles are made under the conditions of the suite's probe only. */
  readonly oneCondition: boolean;
  readonly warmup: Plan["warmup"];
  /** Threads of the load generator; null takes one a core it has. */
  readonly threads: number | null;
  /** Name of the profile, `changed` where rounds or times given by hand differ. */
  readonly profile: string;
  readonly preset: string | null;
  /** The load generator a preset names. */
  readonly generator?: string;
  /** Requests in place of a duration. */
  readonly requests?: number;
}

/**
 * Settles what is measured. In this order, the later one winning: the suite's defaults, the profile (with what the suite
 * changes for `--quick`), the preset, what is given by hand. Throws a usage error for a preset the suite does not have.
 */
export function settle(suite: Suite, profile: Profile, preset: string | undefined, given: Given): Settled {
  const presets = suite.presets ?? {};
  if (preset !== undefined && !Object.hasOwn(presets, preset)) {
    const names = Object.keys(presets);
    throw usageError(
      `suite "${suite.name}" has no preset "${preset}"`,
      names.length === 0 ? "it has none: leave out --preset" : `its presets are ${names.join(", ")}`,
    );
  }
  const named: Given = preset === undefined ? {} : presets[preset]!;
  const before: readonly Given[] = [profile.name === "quick" ? suite.quick ?? {} : {}, named];
  const last = <K extends keyof Given>(key: K, layers = [...before, given]) =>
    layers.findLast((layer) => layer[key] !== undefined)?.[key];
  const amount = (layers?: Given[]) => ({
    rounds: last("rounds", layers) ?? profile.rounds,
    durationMs: last("durationMs", layers) ?? profile.durationMs,
    warmupMs: last("warmupMs", layers) ?? null,
    warmupLoads: last("warmupLoads", layers) ?? 1,
  });
  const { warmupMs, warmupLoads, ...settled } = amount();
  const changed = JSON.stringify(amount()) !== JSON.stringify(amount([...before]));
  const values = suite.axes.map((axis): [string, readonly Value[]] => {
    const chosen = [...before, given].findLast(({ at }) => at?.[axis.name] !== undefined)?.at?.[axis.name];
    return [axis.name, inOrder(axis, chosen ?? axis.values)];
  });
  return {
    values: Object.fromEntries(values),
    ...settled,
    // Rounds given by hand, or by a preset, are meant for rates too.
    aloneRounds: last("rounds", [named, given]) ?? Math.min(profile.aloneRounds, settled.rounds),
    ensembleMs: profile.ensembleMs,
    oneCondition: profile.oneCondition,
    warmup: warmupMs === null
      ? { kind: "steady", most_ms: THRESHOLDS.warmupMostMs }
      : { kind: "fixed", ms: warmupMs, loads: warmupLoads },
    threads: last("threads") ?? null,
    profile: changed ? `${profile.name}, changed` : profile.name,
    preset: preset ?? null,
    ...(named.generator === undefined ? {} : { generator: named.generator }),
    ...(named.requests === undefined || given.durationMs !== undefined ? {} : { requests: named.requests }),
  };
}
