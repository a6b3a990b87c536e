import { z } from "zod";
import { BOUNDS, list, longText } from "./bounds.ts";

/** A cell of a pair: the windows that carry what is said of it, and their p99 in microseconds. */
const side = z.strictObject({
  cell: longText,
  windows: z.int().positive(),
  p99_us: z.number(),
  p99_least_us: z.number(),
  p99_most_us: z.number(),
});

/** What may be said of cells beside each other: their waits at the one rate that all were given. */
export const latencyBetween = z.strictObject({
  /** That rate; null where cells are not compared, and `none` says why. */
  per_second: z.number().positive().nullable(),
  none: longText.nullable(),
  /** Each with each. */
  pairs: list(
    z.strictObject({
      /** `no-difference`: none was found, which proves nothing. */
      says: z.enum(["waits-less", "no-difference"]),
      /** The one whose median is lower. */
      less: side,
      more: side,
      /** Chance that windows of cells that do not differ lie so in any pair of the run, at most; null where they overlap. */
      chance: z.number().nullable(),
    }),
    BOUNDS.comparisons,
  ),
  /** Made from all that stands above. */
  sentences: list(longText).min(1),
});

/** See {@link latencyBetween}. */
export type LatencyBetween = z.infer<typeof latencyBetween>;
