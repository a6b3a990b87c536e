import { z } from "zod";
import { list, longText } from "./bounds.ts";

const figure = z.number().nullable();

/** Where the median over windows lies, in microseconds: from one window's figure to another's, at an exact confidence. */
const interval = z.strictObject({ low_us: z.number(), high_us: z.number(), coverage: z.number() });

/** One rate, open loop, over the rounds: medians, with the least and the most seen. */
const tailRow = z.strictObject({
  /** `50 %` of the cell's own capacity, or `common`. */
  name: longText,
  offered_per_second: z.number().positive(),
  sound: z.int().nonnegative(),
  windows: z.int().positive(),
  /** Requests answered of those that were due; below 0.99 the figures are marked, not used. */
  sent_share: figure,
  dropped: figure,
  /** Share of the requests that left within a millisecond of their time; left out where nobody knows. */
  on_time_share: z.number().optional(),
  /** From when a request was due: what somebody waits. */
  p50_us: figure,
  p99_us: figure,
  p99_least_us: figure,
  p99_most_us: figure,
  p999_us: figure,
  /** From when it was sent: what a generator that waits for a late server forgets. Null where not measured. */
  sender_p99_us: figure,
  /** Of the medians over windows; null below six sound windows, and `why_no_interval` says so. */
  p50_interval: interval.nullable().optional(),
  p99_interval: interval.nullable().optional(),
  p999_interval: interval.nullable().optional(),
  why_no_interval: longText.optional(),
  reasons: list(longText),
});

/** See {@link tailRow}. */
export type TailRow = z.infer<typeof tailRow>;

/** Rate and latency of a closed loop with so many connections. */
const connectionsRow = z.strictObject({
  connections: z.int().positive(),
  requests_per_second: figure,
  p50_us: figure,
  p99_us: figure,
  reasons: list(longText),
});

/** See {@link connectionsRow}. */
export type ConnectionsRow = z.infer<typeof connectionsRow>;

/** One step of the search for the knee, with the evidence it was judged by. */
const kneeStep = z.strictObject({
  per_second: z.number().positive(),
  why: z.enum(["up", "down", "bisect", "confirm"]),
  /** Null where the window was not sound. */
  holds: z.boolean().nullable(),
  sent_share: figure,
  /** Requests that were due and never sent. */
  dropped: figure.optional(),
  /** The latency the limit speaks of. */
  us: figure,
  reasons: list(longText),
});

/** What a cell's sentence says, as figures with the windows that carry them. */
export const waitClaim = z.strictObject({
  /** What 99 % wait at one of the rates of `tails`; null where no window of them counts. */
  waits: z.strictObject({
    rate: longText,
    per_second: z.number().positive(),
    p99_us: z.number(),
    /** Where the median over windows lies; from the least to the most where `coverage`, its confidence, is null. */
    low_us: z.number(),
    high_us: z.number(),
    coverage: z.number().nullable(),
    windows: z.int().positive(),
  }).nullable(),
  /**
   * The highest rate that holds the limit; null where none was looked for. Without one, `why` says why it is open, and is
   * null if no rate that was tried holds the limit.
   */
  holds: z.strictObject({
    share: z.number(),
    us: z.number(),
    per_second: figure,
    /** Nothing higher was asked for. */
    capped: z.boolean(),
    /** Windows at that rate that held the limit, and those at higher ones that did not. */
    held: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    why: longText.nullable(),
  }).nullable(),
  /** Why no limit was looked for, or why nothing can be said; null with `holds`. */
  none: longText.nullable(),
});

/** See {@link waitClaim}. */
export type WaitClaim = z.infer<typeof waitClaim>;

/** One cell: what it does in a closed loop, its tails at fixed rates, its knee, and its curve over connections. */
export const latencyCell = z.strictObject({
  /** Name of the cell. */
  name: longText,
  /** Median of the closed loop's rate over the rounds; null where none was sound. */
  capacity_per_second: figure,
  tails: list(tailRow),
  knee: z.strictObject({
    per_second: figure,
    /** Nothing higher was asked for. */
    capped: z.boolean(),
    share_of_capacity: figure,
    why: longText.nullable(),
    steps: list(kneeStep),
  }).nullable(),
  connections: list(connectionsRow),
  /** For people: `at 26k/s 99 % wait at most 17 ms …; beyond 31k/s the limit of 10 ms is not held`. */
  sentence: longText,
  /** What the sentence is made from; runs of earlier versions have none. */
  claim: waitClaim.optional(),
  /** What its own figures say against each other; left out where nothing does. */
  contradictions: list(longText).optional(),
});

/** See {@link latencyCell}. */
export type LatencyCell = z.infer<typeof latencyCell>;
