import { z } from "zod";
import { cellSchema } from "./cell-schema.ts";
import { recordHead } from "./record-head.ts";
import { observationRecord } from "./observation-record.ts";

const figure = z.number().nullable();

/** One generator over the rounds of a contrast: medians, and ratios to wrk's of the same round. */
export const contrastRow = z.strictObject({
  generator: z.string(),
  version: z.string(),
  /** `apart`: server and generator on cores of their own; `one-core`: both on the server's. */
  place: z.enum(["apart", "one-core"]),
  /** Windows that are sound, of so many. */
  sound: z.int().nonnegative(),
  windows: z.int().positive(),
  requests_per_second: figure,
  over_wrk: figure,
  over_wrk_least: figure,
  over_wrk_most: figure,
  generator_cpu_ns_per_request: figure,
  server_cpu_ns_per_request: figure,
  server_share: figure,
  /** What limited most windows. */
  bound: z.enum(["server", "generator", "network", "neither", "unknown"]),
  /** As the generator prints them. */
  told_p50_us: figure,
  told_p99_us: figure,
  told_mean_us: figure,
  /** As its raw data say; null where it keeps none. */
  raw_p50_us: figure,
  raw_p99_us: figure,
  raw_mean_us: figure,
  /** What the generator warns of itself, each once. */
  warnings: z.array(z.string()),
  /** Why windows are not sound, each once. */
  reasons: z.array(z.string()),
});

/** See {@link contrastRow}. */
export type ContrastRow = z.infer<typeof contrastRow>;

/** What somebody published about load generators, held against the figures of one machine. */
export const answeredClaim = z.strictObject({
  source: z.string(),
  claim: z.string(),
  answer: z.enum(["confirmed", "refuted", "open"]),
  sentence: z.string(),
});

/** See {@link answeredClaim}. */
export type AnsweredClaim = z.infer<typeof answeredClaim>;

/** The record of `bench contrast`: what was measured, with every observation, and what follows from it. */
export const contrastRecord = z.strictObject({
  schema: z.literal("levelfield.contrast/1"),
  ...recordHead,
  cell: cellSchema,
  name: z.string(),
  /** The one request all of them send. */
  request: z.strictObject({ method: z.string(), path: z.string() }),
  /** Generators that were not measured, and why. */
  absent: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  observations: z.array(observationRecord),
  rows: z.array(contrastRow),
  claims: z.array(answeredClaim),
});

/** See {@link contrastRecord}. */
export type ContrastRecord = z.infer<typeof contrastRecord>;
