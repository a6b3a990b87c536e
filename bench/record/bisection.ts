import { z } from "zod";
import { list, longText } from "./bounds.ts";
import { comparisonSchema } from "./comparison.ts";

const place = z.int().nonnegative();

/** Most versions that are bisected: twelve halvings. */
export const MOST_BISECTED = 4_096;

/** One ensemble of a bisection: a version between with both ends, or the two that a change lies between. */
const bisectStepSchema = z.strictObject({
  run: longText,
  rounds: z.int().positive(),
  /** Index of the version it measures; null if it compares two neighbours. */
  middle: place.nullable(),
  /** Comparisons of every two of its versions, by their names. */
  comparisons: list(comparisonSchema, 6),
});

/** The state of a bisection, kept next to its runs so that it can be resumed. */
export type Bisection = z.infer<typeof bisectionSchema>;
export const bisectionSchema = z.strictObject({
  schema: z.literal("levelfield.bisection/1"),
  /** The question and its versions, in words; any other question begins anew. */
  question: longText,
  /** In their order, the good end first. */
  versions: list(longText, MOST_BISECTED).min(2),
  /** Versions that could not be measured. */
  left_out: list(z.strictObject({ version: place, reason: longText }), MOST_BISECTED),
  steps: list(bisectStepSchema, MOST_BISECTED),
});
