import type { Preset } from "../../suites/suite.ts";

/** Least and most values that options, suites and plans may request. */
export const RANGES = {
  rounds: [1, 1_000],
  warmupLoads: [1, 6],
  /** Each thread of the load generator draws from separate serial numbers: see suites/suite.ts. */
  threads: [1, 16],
  seed: [0, 2 ** 32 - 1],
  /** Whole seconds, in milliseconds. */
  secondsMs: [1_000, 600_000],
} as const satisfies Readonly<Record<string, readonly [least: number, most: number]>>;

/** The most times that `bench settle` continues a run: each is a look at its verdicts, see bench/statistics/thresholds.ts. */
export const MOST_SETTLES = 2;

/** Planned looks at the verdicts of a run that has a time. */
export const MOST_LOOKS = 3;

/** True if a number is whole and within a range. */
export const isWithin = (value: unknown, [least, most]: readonly [number, number]): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** Amounts of a preset, each with its option and its range; a text without one. */
export const AMOUNTS = {
  rounds: { option: "rounds", range: RANGES.rounds },
  durationMs: { option: "duration", range: RANGES.secondsMs },
  warmupMs: { option: "warmup", range: RANGES.secondsMs },
  warmupLoads: { option: "warmup-loads", range: RANGES.warmupLoads },
  threads: { option: "threads", range: RANGES.threads },
  generator: { option: "generator", range: null },
} as const satisfies Readonly<
  Record<Exclude<keyof Preset, "title" | "at">, {
    readonly option: string;
    readonly range: readonly [least: number, most: number] | null;
  }>
>;

/** An option that is an amount of presets. */
export type AmountOption = (typeof AMOUNTS)[keyof typeof AMOUNTS]["option"];

/** The options of amounts, each with its field of a preset. */
export const AMOUNT_OPTIONS = Object.entries(AMOUNTS).map(([field, { option }]) => (
  { option, field: field as keyof typeof AMOUNTS }
));

/** Schedules of an open loop: equal gaps, or those of a Poisson process, as many independent clients make. */
export const SCHEDULES = ["fixed", "poisson"] as const;

/** Names of all load generators, the default first: help names them without loading one. */
export const GENERATOR_NAMES = ["wrk", "ontime", "h2load"] as const;

/** Names of everything that measures: load generators, those for new connections and messages, and the one that calls functions. */
export const MEASURES = [...GENERATOR_NAMES, "connect", "websocket", "in-process"] as const;
