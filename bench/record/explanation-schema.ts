/** The costs of a request by layer, as explanation.json keeps them: separate passes of one or two cells, never ranked. */
import { z } from "zod";
import { list, longText, word } from "./bounds.ts";
import { cellSchema } from "./cell-schema.ts";
import { markSchema } from "./outcome-schema.ts";

/** The layers of a request's CPU time; each sample belongs to one. Waiting costs no CPU time, so no layer is idle. */
export type CostLayer = typeof COST_LAYERS[number];
const COST_LAYERS = [
  "app",
  "template",
  "data",
  "driver",
  "framework",
  "adapter",
  "runtime-http",
  "runtime",
  "native-call",
  "native",
  "garbage-collection",
  "compiling",
  "kernel",
  "unknown",
] as const;

/** Kinds of a server's threads. `helpers` collect garbage or compile, unnamed; `profiler` serves nothing. */
export type ThreadKind = typeof THREAD_KINDS[number];
const THREAD_KINDS = ["main", "garbage-collection", "compiling", "helpers", "profiler", "other"] as const;

/** The most items of each kind that a record lists; the rest is in the raw profiles. */
export const EXPLAINED = { cells: 2, passes: 16, functions: 30, calls: 400, marks: 64 } as const;

const us = z.number().nonnegative();
const perRequest = us.nullable();

/** The server's costs in one window of load: microseconds, counts and bytes for each request. Null if not readable. */
export type ExplainedUse = z.infer<typeof explainedUse>;
const explainedUse = z.strictObject({
  requests: z.int().positive(),
  window_ms: z.number().positive(),
  user_us: us,
  system_us: us,
  /** User and system time of a kind of thread. */
  threads: z.partialRecord(z.enum(THREAD_KINDS), z.strictObject({ user_us: us, system_us: us })),
  voluntary_switches: perRequest,
  involuntary_switches: perRequest,
  /** Page faults without and with reading from a disk. */
  minor_faults: perRequest,
  major_faults: perRequest,
  received_bytes: perRequest,
  sent_bytes: perRequest,
});

/** One pass: the same load without the profiler, then with it. */
export type ExplainedPass = z.infer<typeof explainedPass>;
const explainedPass = z.strictObject({
  plain: explainedUse,
  /** Null if it wrote no profile; a mark says why. */
  profiled: explainedUse.nullable(),
  /** File of the raw profile, next to the record. */
  profile: longText.nullable(),
  samples: z.int().nonnegative(),
  /** System calls per request by name, in a separate window; null if nobody counted. */
  system_calls: z.record(word, us).refine((calls) => Object.keys(calls).length <= EXPLAINED.calls, "too many kinds")
    .nullable(),
});

/** A function in a file of the project, if any; of a native call the `caller`, with file and line. Lines begin at 1. */
const place = z.strictObject({
  name: longText,
  caller: longText.optional(),
  file: longText.nullable(),
  line: z.int().positive().optional(),
});

/** See {@link place}. */
export type ExplainedPlace = Readonly<z.infer<typeof place>>;

/** One layer of a cell: µs a request in each pass that has a profile, and the functions behind it, the dearest first. */
export type ExplainedLayer = z.infer<typeof explainedLayer>;
const explainedLayer = z.strictObject({
  layer: z.enum(COST_LAYERS),
  us: list(us, EXPLAINED.passes),
  functions: list(place.extend({ us }), EXPLAINED.functions),
});

/** One cell: its passes and what they say together. */
export type ExplainedCell = z.infer<typeof explainedCell>;
export const explainedCell = z.strictObject({
  cell: cellSchema,
  name: longText,
  /** SHA-256 of its source outside this project, such as an app; absent for a cell of this project alone. */
  source: word.optional(),
  /** `node`, and its version; null for a program that is none of the runtimes. */
  runtime: word.nullable(),
  version: word.nullable(),
  /** SHA-256 of its binary. */
  sha256: word.nullable(),
  passes: list(explainedPass, EXPLAINED.passes).min(1),
  /** The largest first; empty without a profile. */
  layers: list(explainedLayer, COST_LAYERS.length),
  /** Sum of the layers over CPU time without the profiler, less 1: mean over passes. Null without a profile. */
  gap_share: z.number().nullable(),
  /** CPU time per request with the profiler divided by that without, minus 1. */
  profiler_share: z.number().nullable(),
  marks: list(markSchema, EXPLAINED.marks),
});

/** The smallest and the largest difference of a pass, where passes vary by more than the cells differ but each shows it. */
const range = z.tuple([z.number(), z.number()]).optional();

/** The difference between two cells; `over` is the dearer. */
export type ExplainedDifference = z.infer<typeof explainedDifference>;
export const explainedDifference = z.strictObject({
  over: longText,
  under: longText,
  /** µs per request without the profiler, and the difference between passes of one cell. */
  us: z.number(),
  noise_us: us,
  range_us: range,
  /** `differs`: by more than passes of the same cell do, or clearly in each pass. The largest first. */
  layers: list(
    z.strictObject({
      layer: z.enum(COST_LAYERS),
      us: z.number(),
      noise_us: us,
      range_us: range,
      differs: z.boolean(),
      /** The functions that grew or shrank most. */
      functions: list(place.extend({ us: z.number() }), EXPLAINED.functions),
    }),
    COST_LAYERS.length,
  ),
  sentence: longText,
});

/** explanation.json. */
export type Explanation = z.infer<typeof explanationSchema>;
export const explanationSchema = z.strictObject({
  schema: z.literal("levelfield.explanation/2"),
  made_at: z.iso.datetime(),
  levelfield_version: longText,
  /** CPU model, and system with its kernel. */
  machine: z.strictObject({ cpu_model: longText, system: longText }),
  /** The load generator. If functions are called, a request is a call. */
  generator: word,
  /** The load in words: its generator, and its connections or its rate. */
  load: longText,
  cells: list(explainedCell, EXPLAINED.cells).min(1),
  /** Null for one cell, or where one has no profile. */
  difference: explainedDifference.nullable(),
});
