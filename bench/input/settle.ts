import type { Preset, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { inOrder } from "../core/points.ts";
import type { Settled } from "../core/settled.ts";
import type { Profile } from "../core/profile.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";

/** What was given by hand: any part of a preset, and the values of axes. */
export type Given = Omit<Preset, "title">;

/** What a config says of how much is measured. */
export interface FromConfig {
  readonly given: Given;
  /** Whether the profile and the preset are its own too: they are then the ground its other keys stand on. */
  readonly profile: boolean;
  readonly preset: boolean;
}

/**
 * Settles what is measured. In this order, the later one winning: the suite's defaults, the config, the profile (with what
 * the suite changes for `--quick`), the preset, what is given by hand. A profile or preset the config names itself stands
 * before its other keys. Throws a usage error for a preset the suite does not have.
 */
export function settle(
  suite: Suite,
  profile: Profile,
  preset: string | undefined,
  given: Given,
  config?: FromConfig,
): Settled {
  const presets = suite.presets ?? {};
  if (preset !== undefined && !Object.hasOwn(presets, preset)) {
    const names = Object.keys(presets);
    throw usageError(
      `suite "${suite.name}" has no preset "${preset}"`,
      names.length === 0 ? "it has none: leave out --preset" : `its presets are ${names.join(", ")}`,
    );
  }
  const named: Given = preset === undefined ? {} : presets[preset]!;
  const quick: Given = profile.name === "quick" ? suite.quick ?? {} : {};
  const configured: Given = config?.given ?? {};
  // A profile given by hand says its rounds and seconds against those of a config.
  const { rounds, durationMs } = profile;
  const byHand: Given = config === undefined || config.profile || profile.name === "default"
    ? quick
    : { rounds, durationMs, ...quick };
  const before: readonly Given[] = [
    ...(config?.profile ? [byHand] : []),
    ...(config?.preset ? [named] : []),
    configured,
    ...(config?.profile ? [] : [byHand]),
    ...(config?.preset ? [] : [named]),
  ];
  const last = <K extends keyof Given>(key: K, layers = [...before, given]) =>
    layers.findLast((layer) => layer[key] !== undefined)?.[key];
  const amount = (layers?: Given[]) => ({
    rounds: last("rounds", layers) ?? profile.rounds,
    durationMs: last("durationMs", layers) ?? profile.durationMs,
    warmupMs: last("warmupMs", layers) ?? null,
    warmupLoads: last("warmupLoads", layers) ?? 1,
  });
  const { warmupMs, warmupLoads, ...settled } = amount();
  const changed = JSON.stringify(amount()) !== JSON.stringify(amount(before.filter((layer) => layer !== configured)));
  const values = suite.axes.map((axis): [string, readonly Value[]] => {
    const chosen = [...before, given].findLast(({ at }) => at?.[axis.name] !== undefined)?.at?.[axis.name];
    return [axis.name, inOrder(axis, chosen ?? axis.values)];
  });
  const after = (layer: Given) => [...before, given].slice(before.lastIndexOf(layer) + 1);
  // Rounds given by hand, by a preset or by a config are meant for rates too, unless a profile after them says others.
  const overruling = byHand.rounds === undefined ? [] : before.slice(0, before.indexOf(byHand));
  const meant = before.filter((layer) => layer !== byHand && !overruling.includes(layer));
  const generator = last("generator", before.filter((layer) => layer !== byHand));
  const timed = after(named).some((layer) => layer.durationMs !== undefined);
  return {
    values: Object.fromEntries(values),
    ...settled,
    aloneRounds: last("rounds", [...meant, given]) ?? Math.min(profile.aloneRounds, settled.rounds),
    ...(profile.spareRounds === undefined ? {} : { spareRounds: profile.spareRounds }),
    ensembleMs: profile.ensembleMs,
    oneCondition: profile.oneCondition,
    warmup: warmupMs === null
      ? { kind: "steady", most_ms: THRESHOLDS.warmupMostMs }
      : { kind: "fixed", ms: warmupMs, loads: warmupLoads },
    threads: last("threads") ?? null,
    profile: changed ? `${profile.name}, changed` : profile.name,
    preset: preset ?? null,
    ...(generator === undefined ? {} : { generator }),
    ...(named.requests === undefined || timed ? {} : { requests: named.requests }),
    ...(config === undefined ? {} : { overruled: overruledKeys(configured, after(configured)) }),
  };
}

/** Which of a config's keys something after it says otherwise; values of axes by the axis's name. */
function overruledKeys({ at = {}, ...amounts }: Given, after: readonly Given[]): string[] {
  const keys = Object.keys(amounts) as Exclude<keyof Given, "at">[];
  return [
    ...keys.filter((key) => after.some((layer) => layer[key] !== undefined)),
    ...Object.keys(at).filter((name) => after.some((layer) => layer.at?.[name] !== undefined)),
  ];
}
