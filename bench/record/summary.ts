import { z } from "zod";
import { list, longText } from "./bounds.ts";
import { atSchema, cellSchema } from "./cell-schema.ts";
import { latencyCell, ratesCompared } from "./latency-schema.ts";
import { answerSchema } from "./answer-schema.ts";
import { comparisonSchema, floorSchema, intervalSchema } from "./comparison.ts";
import { boundSchema, markSchema } from "./outcome-schema.ts";

const share = z.number().nonnegative();

/** The trend of a server's cost inside the windows it shared with others. */
const driftSchema = z.strictObject({
  /** Name of its cell. */
  cell: longText,
  /** Rounds that say something. */
  rounds: z.int().nonnegative(),
  /** The change of its cost after a window's first third against the others' median: a share, mean over rounds. */
  change: z.number().nullable(),
  interval: intervalSchema.nullable(),
  /** `flat`: the whole interval is inside the limit; `moving`: it seems to have grown cheaper or dearer still. */
  steadiness: z.enum(["flat", "moving", "unknown"]),
});

/** An expectation of the suite, and if it holds in this run, in words. */
const checkSchema = z.strictObject({
  name: longText,
  holds: z.enum(["yes", "no", "unknown"]),
  seen: longText,
  expected: longText,
});

/** A table of the cost or gain of each step, one for each place at which the suite's steps were measured. */
const stepsSchema = z.strictObject({
  name: longText,
  /** The values that its rows share, for people. */
  title: longText,
  metric: z.enum(["requests_per_second", "rows_per_second", "cpu_ns_per_request"]),
  why: longText,
  rows: list(z.strictObject({
    cell: longText,
    text: longText,
    /** Median over rounds; null without an ok observation. */
    value: z.number().nonnegative().nullable(),
    /** The row divided by the previous and by the first one, by rounds of both, or by their values; null if one has none. */
    over_previous: z.number().nullable(),
    over_first: z.number().nullable(),
    /** The 95 % interval of that ratio, which contains it; absent if rounds of both are too few. */
    over_previous_interval: z.tuple([z.number(), z.number()]).optional(),
    over_first_interval: z.tuple([z.number(), z.number()]).optional(),
  })),
});

/** Comparisons of one place, a part of a question. */
const familySchema = z.strictObject({
  /** `axis`: values of a contrast axis; `label`: treatments of one point; `pair`: two cells named by hand. */
  kind: z.enum(["axis", "label", "pair"]),
  /** The contrast axis whose values are compared; null for the other kinds. */
  axis: longText.nullable(),
  /** The values that its members share, for people: `iron, 10k items`. */
  title: longText,
  /** The values its members share. */
  at: atSchema,
  comparisons: list(comparisonSchema),
  /** Groups of equal rank, the fastest first, by name of cell. */
  ranking: list(z.strictObject({ rank: z.int().positive(), cells: list(longText) })),
  unranked: list(z.strictObject({ cell: longText, marks: list(markSchema).min(1) })),
});

/** The memory of servers at one moment: checked and not yet loaded, right after their load, or after a rest. */
export const memorySchema = z.strictObject({
  moment: z.enum(["started", "loaded", "rested"]),
  noise_floor: floorSchema,
  /** Median over rounds of each cell with a reading. */
  cells: list(z.strictObject({ name: longText, bytes: z.number().positive() })),
  /** The same comparisons by bytes: `faster` is the one that needs less. */
  families: list(familySchema.omit({ ranking: true, unranked: true })),
});

/** summary.json: the summary of a run; a pure function of run.json and journal.ndjson. */
export type Summary = z.infer<typeof summarySchema>;
export const summarySchema = z.strictObject({
  schema: z.literal("levelfield.summary/8"),
  run: longText,
  /** Contradictions in the run's evidence; shown at the top of every output. Empty in a sound run. */
  marks: list(markSchema),
  /** Requests per second the generator reached against a server that does nothing, median over rounds, by kind of request. */
  ceilings: list(z.strictObject({
    /** Name of the cell whose requests were sent. */
    cell: longText,
    requests_per_second: z.number().nonnegative().nullable(),
    /** The bound. If it is not the generator, the generator's ceiling lies higher. */
    bound: boundSchema,
  })),
  noise_floor: z.strictObject({ together: floorSchema, solo: floorSchema }),
  /** Every cell of the plan by its name, which is unique here; all else refers to cells by it. */
  cells: list(z.strictObject({
    name: longText,
    cell: cellSchema,
    marks: list(markSchema),
    steadiness: z.enum(["flat", "warming-up", "slowing-down", "unknown"]),
    cv: share.nullable(),
  })),
  drifts: list(driftSchema),
  /** Families that are judged together: all intervals of a question hold together at its level. */
  questions: list(z.strictObject({
    kind: z.enum(["axis", "label", "pair"]),
    axis: longText.nullable(),
    /** Comparisons that could be judged. */
    comparisons: z.int().nonnegative(),
    level: share,
    /** Confidence each interval has by itself. */
    level_each: share,
    /** The number of looks that share the error equally; absent for one. */
    looks: z.int().positive().optional(),
  })),
  families: list(familySchema),
  /** Growth along a scale axis, one for each line of points. */
  scaling: list(z.strictObject({
    axis: longText,
    /** Name of the line for people, and the values its points share. */
    name: longText,
    at: atSchema,
    label: longText,
    law: longText,
    exponent: z.number().nullable(),
    interval: intervalSchema.nullable(),
    check: z.enum(["fits", "does-not-fit", "unknown"]),
    reason: longText.nullable(),
  })),
  /** The suite's expectations: `bench show` counts those that are met. */
  checks: list(checkSchema),
  steps: list(stepsSchema),
  /** Of a plan with the axis `rate`, one for each server: its wait in a sentence, and the highest rate that holds the limit. */
  latency: list(latencyCell).optional(),
  /** Of a plan with the axis `rate` that compares cells. */
  open_loop: ratesCompared.optional(),
  /** By moment; absent if no server was read, and by earlier versions. */
  memory: list(memorySchema).optional(),
  /** The value to take, or why there is none. */
  answer: answerSchema,
});
