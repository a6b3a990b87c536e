import type { Observation, Window } from "../../record/observation-record.ts";
import { median } from "../../statistics/median.ts";
import type { ContrastRow } from "../../record/contrast-record.ts";

/** Where a window's generator ran. */
export type Place = ContrastRow["place"];

/** Name of a window: who measured where. */
export const windowName = (generator: string, place: Place): string => `${place} ${generator}`;

/** The name of wrk's window with the requests of the cell itself, drawn on the way. */
export const DRAWN = "drawn wrk";

/** Medians over rounds of each generator in each place, in the order they are first met. */
export function contrastRows(observations: readonly Observation[], names: readonly string[]): ContrastRow[] {
  const all = observations.flatMap(({ windows = [] }) => windows);
  return (["apart", "one-core"] as const).flatMap((place) =>
    names.flatMap((generator) => {
      const name = windowName(generator, place);
      const own = all.filter((window) => window.name === name);
      return own.length === 0
        ? []
        : [rowOf(generator, place, own, ratios(observations, name, windowName("wrk", place)))];
    })
  );
}

/** Rates of one window over those of another, round by round, where both are sound. */
export function ratios(observations: readonly Observation[], name: string, base: string): number[] {
  return observations.flatMap(({ windows = [] }) => {
    const [own, other] = [name, base].map((wanted) => rateOf(windows.find((window) => window.name === wanted)));
    return own === null || other === null ? [] : [own! / other!];
  });
}

/** Whether a window's figures may be used. */
export const isSound = ({ reasons, load }: Window): boolean => reasons.length === 0 && load !== null;

const rateOf = (window: Window | undefined): number | null =>
  window === undefined || !isSound(window) ? null : window.load!.requests_per_second;

function rowOf(generator: string, place: Place, windows: readonly Window[], over: readonly number[]): ContrastRow {
  const sound = windows.filter(isSound);
  const middle = (pick: (window: Window) => number | null | undefined) => {
    const values = sound.map(pick).filter((value) => value !== null && value !== undefined);
    return values.length === 0 ? null : median(values);
  };
  const raw = (pick: (latency: NonNullable<Window["latency"]>) => number | null) =>
    middle(({ latency }) => latency === null || latency.histogram.length === 0 ? null : pick(latency));
  return {
    generator,
    version: windows[0]!.generator.version,
    place,
    sound: sound.length,
    windows: windows.length,
    requests_per_second: middle(({ load }) => load!.requests_per_second),
    over_wrk: over.length === 0 ? null : median(over),
    over_wrk_least: over.length === 0 ? null : Math.min(...over),
    over_wrk_most: over.length === 0 ? null : Math.max(...over),
    generator_cpu_ns_per_request: middle((window) => window.generator_cpu_ns_per_request),
    server_cpu_ns_per_request: middle(({ counters }) => counters?.server_cpu_ns_per_request),
    server_share: middle(({ counters }) => counters?.server_share),
    bound: boundOf(sound),
    told_p50_us: middle(({ told }) => told?.p50_us),
    told_p99_us: middle(({ told }) => told?.p99_us),
    told_mean_us: middle(({ told }) => told?.mean_us),
    raw_p50_us: raw((latency) => latency.p50_us),
    raw_p99_us: raw((latency) => latency.p99_us),
    raw_mean_us: raw((latency) => latency.mean_us),
    warnings: [...new Set(windows.flatMap(({ load }) => load?.warnings ?? []))],
    reasons: [...new Set(windows.flatMap(({ reasons }) => reasons.map(({ message }) => message)))],
  };
}

/** What limited more than half of the windows. */
function boundOf(windows: readonly Window[]): ContrastRow["bound"] {
  const counts = Map.groupBy(windows, ({ bound }) => bound);
  return [...counts].find(([, own]) => 2 * own.length > windows.length)?.[0] ?? "unknown";
}
