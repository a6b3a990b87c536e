import { z } from "zod";
import { atSchema, cellSchema } from "./cell-schema.ts";
import { contrastSchema } from "./contrast-rows.ts";
import { latencyCell } from "./latency-cell.ts";
import { answerSchema } from "./answer-schema.ts";
import { markSchema } from "./mark-schema.ts";
import { comparisonSchema, intervalSchema } from "./comparison.ts";

const share = z.number().nonnegative();

const floorSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["agree", "different"]), delta: share, bound: share, p: share, pairs: z.int() }),
  z.strictObject({ kind: z.literal("unknown"), reason: z.string() }),
]);

/** How the cost of a server went inside the windows it shared with others. */
const driftSchema = z.strictObject({
  /** Name of its cell. */
  cell: z.string(),
  /** Rounds that say something. */
  rounds: z.int().nonnegative(),
  /** What its cost changed by after a window's first third, against the median of the others': mean over rounds, a share. */
  change: z.number().nullable(),
  interval: intervalSchema.nullable(),
  /** `flat`: the whole interval is inside the limit; `moving`: it seems to have grown cheaper or dearer still. */
  steadiness: z.enum(["flat", "moving", "unknown"]),
});

/** Whether an expectation of the suite holds in this run, in words. */
const checkSchema = z.strictObject({
  name: z.string(),
  holds: z.enum(["yes", "no", "unknown"]),
  seen: z.string(),
  expected: z.string(),
});

/** A table of what each step costs or buys, one for each place the suite's steps were measured at. */
const stepsSchema = z.strictObject({
  name: z.string(),
  /** What its rows share, for people. */
  title: z.string(),
  metric: z.enum(["requests_per_second", "rows_per_second", "cpu_ns_per_request"]),
  why: z.string(),
  rows: z.array(z.strictObject({
    cell: z.string(),
    text: z.string(),
    /** Median over rounds; null without an ok observation. */
    value: z.number().nonnegative().nullable(),
    /** Value over that of the row before and over that of the first; null where one of them has none. */
    over_previous: z.number().nullable(),
    over_first: z.number().nullable(),
  })),
});

/** summary.json: what a run says as a whole; a pure function of run.json and journal.ndjson. */
export const summarySchema = z.strictObject({
  schema: z.literal("levelfield.summary/6"),
  run: z.string(),
  /** What the run's own evidence contradicts; stands at the top of every output. Empty in a sound run. */
  marks: z.array(markSchema),
  /** Requests per second the generator reached against a server that does nothing, median over rounds, by kind of request. */
  ceilings: z.array(z.strictObject({
    /** Name of the cell whose requests were sent. */
    cell: z.string(),
    requests_per_second: z.number().nonnegative().nullable(),
    /** What limited it: only where that was the generator is it the generator's ceiling, else one that lies higher. */
    bound: z.enum(["server", "generator", "network", "neither", "unknown"]),
  })),
  noise_floor: z.strictObject({ together: floorSchema, solo: floorSchema }),
  /** Every cell of the plan by its name, which is unique here; all else refers to cells by it. */
  cells: z.array(z.strictObject({
    name: z.string(),
    cell: cellSchema,
    marks: z.array(markSchema),
    steadiness: z.enum(["flat", "warming-up", "slowing-down", "unknown"]),
    cv: share.nullable(),
  })),
  drifts: z.array(driftSchema),
  /** What is judged as one: all intervals of a question hold together at its level. */
  questions: z.array(z.strictObject({
    kind: z.enum(["axis", "label", "pair"]),
    axis: z.string().nullable(),
    /** Comparisons that could be judged. */
    comparisons: z.int().nonnegative(),
    level: share,
    /** Confidence each interval has by itself. */
    level_each: share,
  })),
  /** Comparisons of one place, a part of a question. */
  families: z.array(z.strictObject({
    /** `axis`: values of a contrast axis; `label`: treatments of one point; `pair`: two cells named by hand. */
    kind: z.enum(["axis", "label", "pair"]),
    /** The contrast axis whose values are compared; null for the other kinds. */
    axis: z.string().nullable(),
    /** What its members share, for people: `iron, 10k items`. */
    title: z.string(),
    /** The values its members share. */
    at: atSchema,
    comparisons: z.array(comparisonSchema),
    /** Groups of equal rank, the fastest first, by name of cell. */
    ranking: z.array(z.strictObject({ rank: z.int().positive(), cells: z.array(z.string()) })),
    unranked: z.array(z.strictObject({ cell: z.string(), reasons: z.array(z.string()) })),
  })),
  /** Growth along a scale axis, one for each line of points. */
  scaling: z.array(z.strictObject({
    axis: z.string(),
    /** Name of the line for people, and the values its points share. */
    name: z.string(),
    at: atSchema,
    label: z.string(),
    law: z.string(),
    exponent: z.number().nullable(),
    interval: intervalSchema.nullable(),
    check: z.enum(["fits", "does-not-fit", "unknown"]),
    reason: z.string().nullable(),
  })),
  /** The suite's expectations: what `bench shape` shows. */
  checks: z.array(checkSchema),
  steps: z.array(stepsSchema),
  /** Of a plan with the axis `rate`: what somebody waits for each cell, and the highest rate that keeps the limit. */
  latency: z.array(latencyCell).optional(),
  /** Of a plan with the axis `generator`. */
  contrast: z.array(contrastSchema).optional(),
  /** What to take, or why that cannot be said. */
  answer: answerSchema,
});

/** See {@link summarySchema}. */
export type Summary = z.infer<typeof summarySchema>;
