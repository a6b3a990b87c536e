import { z } from "zod";
import { BOUNDS, list, longText } from "./bounds.ts";
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
  /** Marks of its window. */
  marks: list(markSchema),
});

/** One server at all of its rates: its closed loop and its knee. Its cards have the figures at rates. */
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
    /** The mark of a search without an end; null with a rate, and if no rate that was tried holds the limit. */
    open: markSchema.nullable(),
    steps: list(kneeStep),
  }).nullable(),
  /** For people: `at 26k/s 99 % wait at most 17 ms …; beyond 31k/s the limit of 10 ms is not held`. */
  sentence: longText,
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
  /** That rate; null if they are not compared, and `none` is the mark that says why. */
  per_second: z.number().positive().nullable(),
  none: markSchema.nullable(),
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
