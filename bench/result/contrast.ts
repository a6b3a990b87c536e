import type { Observation, Window } from "../record/observation-record.ts";
import { lateMark } from "../judge/open-loop.ts";
import {
  DRAWN,
  generatorAt,
  type GeneratorAxis,
  isSound,
  linesOfCell,
  pacedAt,
  standsAt,
} from "../plan/generator-windows.ts";
import type { Contrast, ContrastRow, OpenRow } from "../record/contrast-rows.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { Plan } from "../record/plan.ts";
import { medianOfKnown } from "../statistics/median.ts";
import { openLoopOf } from "./open-loop-card.ts";

/** Medians over rounds of each generator in each place, in the order they are first met. */
export function contrastRows(observations: readonly Observation[], names: readonly string[]): ContrastRow[] {
  const all = observations.flatMap(({ windows = [] }) => windows);
  return (["apart", "one-core"] as const).flatMap((place) =>
    names.flatMap((generator) => {
      const at = generatorAt(generator, place);
      const here = all.filter(standsAt(at));
      return here.length === 0
        ? []
        : [rowOf(generator, place, here, ratios(observations, at, generatorAt("wrk", place)))];
    })
  );
}

/** Rates of one window over those of another, round by round, where both are sound. */
export function ratios(observations: readonly Observation[], over: Window["at"], under: Window["at"]): number[] {
  return observations.flatMap(({ windows = [] }) => {
    const [rate, other] = [over, under].map((at) => rateOf(windows.find(standsAt(at))));
    return rate === null || other === null ? [] : [rate! / other!];
  });
}

const rateOf = (window: Window | undefined): number | null =>
  window === undefined || !isSound(window) ? null : window.load!.requests_per_second;

function rowOf(
  generator: string,
  place: ContrastRow["place"],
  windows: readonly Window[],
  over: readonly number[],
): ContrastRow {
  const sound = windows.filter(isSound);
  const middle = (pick: (window: Window) => number | null | undefined) => medianOfKnown(sound.map(pick));
  const raw = (pick: (latency: NonNullable<Window["latency"]>) => number | null) =>
    middle(({ latency }) => latency === null || latency.histogram.length === 0 ? null : pick(latency));
  return {
    generator,
    version: windows[0]!.generator.version,
    place,
    sound: sound.length,
    windows: windows.length,
    requests_per_second: middle(({ load }) => load!.requests_per_second),
    over_wrk: medianOfKnown(over),
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
    marks: onceEach(windows.flatMap(({ load, marks }) => [
      ...marks,
      ...(load?.warnings ?? []).map((warning) => mark("generator-warned", warning.text)),
    ])),
  };
}

function openRows(observations: readonly Observation[], { generators, share }: NonNullable<GeneratorAxis["open"]>) {
  const all = observations.flatMap(({ windows = [] }) => windows);
  return generators.flatMap((generator): OpenRow[] => {
    const windows = all.filter(standsAt(pacedAt(generator, share)));
    const sound = windows.filter(isSound);
    const loop = openLoopOf(windows, sound);
    const late = loop.open_loop === undefined ? null : lateMark(loop.open_loop.by_clock, "p50", "p99");
    return windows.length === 0 ? [] : [{
      ...{ generator, version: windows[0]!.generator.version, sound: sound.length, windows: windows.length, ...loop },
      marks: onceEach([...windows.flatMap(({ marks }) => marks), ...(late === null ? [] : [late])]),
    }];
  });
}

const onceEach = (marks: readonly Mark[]): Mark[] => [
  ...new Map(marks.map((given) => [JSON.stringify(given), given])).values(),
];

function boundOf(windows: readonly Window[]): ContrastRow["bound"] {
  const counts = Map.groupBy(windows, ({ bound }) => bound);
  return [...counts].find(([, bounds]) => 2 * bounds.length > windows.length)?.[0] ?? "unknown";
}

/** Returns the figures of each cell in a plan with the axis `generator`; undefined for any other plan. */
export function contrastsOf(
  plan: Plan,
  lines: readonly Observation[],
  nameOf: (place: number) => string,
): Contrast[] | undefined {
  const { further } = plan;
  if (further?.axis !== "generator") return undefined;
  return plan.cells.map((cell, place) => {
    const ofCell = linesOfCell(lines, cell);
    return {
      name: nameOf(place),
      rows: contrastRows(ofCell, further.generators),
      open: further.open === undefined ? [] : openRows(ofCell, further.open),
      drawn_over_one: medianOfKnown(ratios(ofCell, DRAWN, generatorAt("wrk", "apart"))),
    };
  });
}
