import { z } from "zod";
import { list, longText } from "./bounds.ts";
import { openLoopSchema } from "./card.ts";
import { boundSchema, markSchema } from "./outcome-schema.ts";

const figure = z.number().nullable();

/** Rates over that of wrk in the same rounds: median, least and most. */
const overWrk = z.strictObject({ over_wrk: figure, over_wrk_least: figure, over_wrk_most: figure });

const cost = z.strictObject({
  generator_cpu_ns_per_request: figure,
  server_cpu_ns_per_request: figure,
  server_share: figure,
});

/** Latencies as the generator prints them. */
const toldLatency = z.strictObject({ told_p50_us: figure, told_p99_us: figure, told_mean_us: figure });

/** Latencies from its raw data; null if it keeps none. */
const rawLatency = z.strictObject({ raw_p50_us: figure, raw_p99_us: figure, raw_mean_us: figure });

/** One generator over the rounds of a contrast: medians, and ratios to wrk's of the same round. */
export type ContrastRow = z.infer<typeof contrastRow>;
const contrastRow = z.strictObject({
  generator: longText,
  version: longText,
  /** `apart`: server and generator on separate cores; `one-core`: both on the server's. */
  place: z.enum(["apart", "one-core"]),
  /** The number of sound windows, and of all windows. */
  sound: z.int().nonnegative(),
  windows: z.int().positive(),
  requests_per_second: figure,
  ...overWrk.shape,
  ...cost.shape,
  /** The bound of most windows. */
  bound: boundSchema,
  ...toldLatency.shape,
  ...rawLatency.shape,
  /** Marks of its windows, and warnings of the generator about itself, each once. */
  marks: list(markSchema),
});

/** One generator at a rate over the rounds of a contrast. */
export type OpenRow = z.infer<typeof openRow>;
const openRow = z.strictObject({
  generator: longText,
  version: longText,
  /** The number of sound windows, and of all windows. */
  sound: z.int().nonnegative(),
  windows: z.int().positive(),
  ...openLoopSchema.shape,
  /** Marks of its windows, and of waits that are withheld, each once. */
  marks: list(markSchema),
});

/** The figures of a cell under several load generators. */
export type Contrast = z.infer<typeof contrastSchema>;
export const contrastSchema = z.strictObject({
  name: longText,
  rows: list(contrastRow),
  /** Generators that keep one rate. */
  open: list(openRow),
  /** wrk's rate with the requests of the cell itself, drawn on the way, over that with the one request. */
  drawn_over_one: figure,
});
