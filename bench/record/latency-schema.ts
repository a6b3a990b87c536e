import { z } from "zod";
import { BOUNDS, list, longText } from "./bounds.ts";

const figure = z.number().nullable();

/** Rate and latency of a closed loop with a number of connections, medians over its windows. */
const connectionsRow = z.strictObject({
  connections: z.int().positive(),
  requests_per_second: figure,
  p50_us: figure,
  p99_us: figure,
  /** Texts of the marks of its windows. */
  reasons: list(longText),
});

/** See {@link connectionsRow}. */
export type ConnectionsRow = z.infer<typeof connectionsRow>;

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
  reasons: list(longText),
});

/** The figures of a cell's sentence, with the windows that carry them. */
export const waitClaim = z.strictObject({
  /** The longest wait of 99 % at one of the rates; null if no window of them counts. */
  waits: z.strictObject({
    rate: longText,
    per_second: z.number().positive(),
    p99_us: z.number(),
    /** The interval of the median over windows; from the least to the most if `coverage`, its confidence, is null. */
    low_us: z.number(),
    high_us: z.number(),
    coverage: z.number().nullable(),
    windows: z.int().positive(),
  }).nullable(),
  /**
   * The highest rate that holds the limit; null without a search. Without such a rate `why` says why it is open, and is
   * null if no rate that was tried holds the limit.
   */
  holds: z.strictObject({
    share: z.number(),
    us: z.number(),
    per_second: figure,
    /** No higher rate was tried. */
    capped: z.boolean(),
    /** Windows at that rate that held the limit, and those at higher ones that did not. */
    held: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    why: longText.nullable(),
  }).nullable(),
  /** Why there was no search though there is a limit, or why nothing can be said. */
  none: longText.nullable(),
});

/** See {@link waitClaim}. */
export type WaitClaim = z.infer<typeof waitClaim>;

/** One server at all of its rates: its closed loop, its knee, and its curve over connections. Cards have the figures at rates. */
export const latencyCell = z.strictObject({
  /** Its name without a rate. */
  name: longText,
  /** Names of its cells: that of the closed loop, and those at rates. */
  closed: longText,
  at_rates: list(longText),
  /** Median of the closed loop's rate over the rounds; null without a sound one. */
  capacity_per_second: figure,
  /** Null without a limit, and without a capacity. */
  knee: z.strictObject({
    per_second: figure,
    /** No higher rate was tried. */
    capped: z.boolean(),
    share_of_capacity: figure,
    why: longText.nullable(),
    steps: list(kneeStep),
  }).nullable(),
  connections: list(connectionsRow),
  /** For people: `at 26k/s 99 % wait at most 17 ms …; beyond 31k/s the limit of 10 ms is not held`. */
  sentence: longText,
  claim: waitClaim,
});

/** See {@link latencyCell}. */
export type LatencyCell = z.infer<typeof latencyCell>;

/** A server of a pair: the number of its windows, and their p99 in microseconds. */
const side = z.strictObject({
  cell: longText,
  windows: z.int().positive(),
  p99_us: z.number(),
  p99_least_us: z.number(),
  p99_most_us: z.number(),
});

/** Waits of servers compared at one rate that all had. */
export const latencyBetween = z.strictObject({
  /** That rate; null if they are not compared, and `none` says why. */
  per_second: z.number().positive().nullable(),
  none: longText.nullable(),
  pairs: list(
    z.strictObject({
      /** `no-difference`: none was found, which proves nothing. */
      says: z.enum(["waits-less", "no-difference"]),
      /** The one whose median is lower. */
      less: side,
      more: side,
      /** Chance that equal servers give such windows in any pair of the run, at most; null if the windows overlap. */
      chance: z.number().nullable(),
    }),
    BOUNDS.comparisons,
  ),
  /** Made from all the other fields. */
  sentences: list(longText).min(1),
});

/** See {@link latencyBetween}. */
export type LatencyBetween = z.infer<typeof latencyBetween>;
