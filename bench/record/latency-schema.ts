import { z } from "zod";
import { BOUNDS, list, longText, word } from "./bounds.ts";
import { comparisonSchema, floorSchema } from "./comparison.ts";
import { markSchema } from "./outcome-schema.ts";

const figure = z.number().nullable();

/** One step of the search for the knee, with its evidence. */
const kneeStep = z.strictObject({
  per_second: z.number().positive(),
  why: z.enum(["up", "down", "bisect", "confirm"]),
  /** Null if the window is not sound. */
  holds: z.boolean().nullable(),
  sent_share: figure,
  /** Requests that were due and never sent. */
  dropped: figure.optional(),
  /** The latency that the limit is about. */
  us: figure,
  marks: list(markSchema),
});

/** One server at all of its rates: its closed loop and its knee. Its cards have the figures at rates. */
export type LatencyCell = z.infer<typeof latencyCell>;
export const latencyCell = z.strictObject({
  /** Its name without a rate. */
  name: longText,
  /** Names of its cells: that of the closed loop, and those at rates. */
  closed: longText,
  at_rates: list(longText),
  /** Median closed-loop rate over the rounds; null without a sound one. */
  capacity_per_second: figure,
  /** Null without a limit, and without a capacity. */
  knee: z.strictObject({
    per_second: figure,
    /** No higher rate was tried. */
    capped: z.boolean(),
    share_of_capacity: figure,
    /** The mark of a search without an end; null with a rate, and if no rate that was tried holds the limit. */
    open: markSchema.nullable(),
    steps: list(kneeStep),
  }).nullable(),
  /** For people: `at 26k/s 99 % wait at most 17 ms …; beyond 31k/s the limit of 10 ms is not held`. */
  sentence: longText,
});

/** Waits from when requests were due, compared between cells at one rate. */
const rateComparison = z.strictObject({
  /** Value of the axis: a share of the slowest one's capacity, or requests per second. */
  rate: z.union([word, z.number()]),
  /** Median over rounds of the requests per second that were due; null without a window. */
  per_second: figure,
  /** `faster` is the cell with the shorter wait; cells have their names at the rate. */
  p50: list(comparisonSchema, BOUNDS.comparisons),
  p99: list(comparisonSchema, BOUNDS.comparisons),
  /** `At 34.6k/s: p99 bun 1.9 ms, node 2.2 ms, not told apart; p50 …`. */
  sentence: longText,
});

/** Cells compared at the same rates, their windows by turns. */
export type RatesCompared = z.infer<typeof ratesCompared>;
export const ratesCompared = z.strictObject({
  /** Noise floor of each quantile, from A/A pairs at all rates; the least difference that counts if none was planned. */
  noise_floor: z.strictObject({ p50: floorSchema, p99: floorSchema }),
  rates: list(rateComparison),
  /** The winner of each pair with each rate it loses, or why there is none; made from the comparisons of p99. */
  sentences: list(longText).min(1),
});

/** The quantiles that latencies are kept by, with their shares of requests. A new one is a row here. */
const QUANTILES = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1 };

type QuantileName = keyof typeof QUANTILES;
/** The name of a quantile with its unit. */
export type QuantileUs = `${QuantileName}_us`;

/** Calls `of` for each quantile; returns its results by name. */
export const byQuantile = <T>(of: (share: number, us: QuantileUs) => T): Record<QuantileName, T> =>
  Object.fromEntries(
    Object.entries(QUANTILES).map(([name, share]) => [name, of(share, `${name}_us` as QuantileUs)]),
  ) as Record<QuantileName, T>;

/** Returns the same by names with their unit: `p50_us`. */
export const quantilesUs = <T>(of: (share: number, us: QuantileUs) => T): Record<QuantileUs, T> =>
  Object.fromEntries(Object.entries(byQuantile(of)).map(([name, value]) => [`${name}_us`, value])) as Record<
    QuantileUs,
    T
  >;
