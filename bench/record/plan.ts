import { z } from "zod";
import { cellName } from "./cell.ts";
import { atSchema, type Cell, cellSchema, planAxisSchema, pointSchema } from "./cell-schema.ts";
import { ownSpecSchema, sourceSchema } from "./own-spec.ts";

const count = z.int().nonnegative();
const place = z.int().nonnegative();
const metric = z.enum(["requests_per_second", "rows_per_second", "cpu_ns_per_request"]);

/** A suite's expectations as a plan keeps them; see `Expectation` in suites/suite.ts. */
export const expectationSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("published"), at: atSchema, metric, value: z.number(), source: z.string() }),
  z.strictObject({
    kind: z.literal("ratio"),
    name: z.string(),
    over: atSchema,
    under: atSchema,
    metric,
    least: z.number().optional(),
    most: z.number().optional(),
    published: z.number().optional(),
    why: z.string(),
  }),
  z.strictObject({
    kind: z.literal("scaling"),
    axis: z.string(),
    at: atSchema,
    law: z.string(),
    least: z.number(),
    greatest: z.number(),
    why: z.string(),
  }),
  z.strictObject({
    kind: z.literal("steps"),
    name: z.string(),
    axis: z.string(),
    values: z.array(z.union([z.string(), z.number()])),
    at: atSchema.optional(),
    metric,
    why: z.string(),
  }),
  z.strictObject({ kind: z.literal("ceiling"), at: atSchema, least: z.number() }),
]);

/** Cells compared directly, at the same time on one core, and what for. */
export const ensembleSchema = z.strictObject({
  /** `matrix`: cells of a matrix that share their conditions; `pair`: named by hand. One of them may be there twice, as A/A. */
  purpose: z.enum(["matrix", "pair"]),
  /** Places in `cells`. */
  cells: z.array(place).min(2),
  /** In how many rounds, from the first. */
  rounds: z.int().min(1),
});

/** How servers are warmed up: until their own CPU time per request is flat, or for a time given by hand. */
export const warmupPlanSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("steady"),
    /** Given up after this for one server alone. */
    most_ms: z.int().positive(),
  }),
  z.strictObject({ kind: z.literal("fixed"), ms: z.int().positive(), loads: z.int().min(1).max(6) }),
]);

/** An axis along which each observation goes on: further windows on the same warm server, one for each of its values. */
export const furtherSchema = z.discriminatedUnion("axis", [
  z.strictObject({
    /**
     * Requests a second that are due. All rounds but two at shares of the cell's own closed-loop rate, by both clocks; then
     * one searches for the highest that keeps the limit, and the last goes over connections of a closed loop.
     */
    axis: z.literal("rate"),
    /** What keeps the rates. */
    generator: z.string(),
    shares: z.array(z.number().positive()),
    /** One rate of all cells besides; null without. */
    rate: z.number().positive().nullable(),
    /** Such as `p99<10ms`. */
    limit: z.string(),
    connections: z.array(z.int().positive()),
  }),
  z.strictObject({
    /** Load generators that all send one request: from a core of their own, and where they can from the server's. */
    axis: z.literal("generator"),
    generators: z.array(z.string()).min(1),
    /** Those that could not be measured, and why. */
    absent: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
    request: z.strictObject({ method: z.string(), path: z.string() }),
  }),
]);

/**
 * Everything that decides what a run does, apart from the machine: printed by `--dry-run --json`, kept in run.json, run
 * again from either.
 */
export const planSchema = z.strictObject({
  schema: z.literal("levelfield.plan/2"),
  suite: z.strictObject({
    name: z.string(),
    title: z.string(),
    /** Path of the suite's module where it is not one of this project's. */
    module: z.string().nullable(),
    /** Hash over the source of a suite that a config brought; left out for all others. See the spec of one's own apps. */
    source: sourceSchema.optional(),
    /** What the suite is made from where the command line or a config made it; left out for all others. */
    own: ownSpecSchema.optional(),
  }),
  axes: z.array(planAxisSchema),
  /** Every cell of the plan, once. */
  cells: z.array(cellSchema).min(1),
  /** Cells measured alone only, as places in `cells`, and in how many rounds. */
  solo: z.array(z.strictObject({ cell: place, rounds: z.int().min(1) })),
  /** Cells measured together; what verdicts rest on. */
  ensembles: z.array(ensembleSchema),
  /**
   * Whether a round ends with its ensembles, so that the table of rates is whole before what servers do together is measured;
   * left out where they stand anywhere among the other steps.
   */
  together_last: z.literal(true).optional(),
  /** In how many of its rounds each server of an ensemble is measured alone as well, before it is measured with the others. */
  alone_rounds: z.int().min(0),
  /** Kinds of request, each with the cells that are sent it: the generator's ceiling is measured once for each. */
  ceilings: z.array(z.strictObject({ cell: place, stands_for: z.array(place) })),
  /** Points asked for that cannot be, each with the reason. */
  unsupported: z.array(z.strictObject({ point: pointSchema, reason: z.string() })),
  rounds: z.int().min(1).max(1_000),
  /** Rounds after these at most, made only where others voided one of these; left out where none is. */
  spare_rounds: z.int().min(1).max(1_000).optional(),
  /** Measured window of a cell alone. */
  duration_ms: z.int().positive(),
  /** Measured window of an ensemble, for each of its servers. */
  ensemble_ms: z.int().positive(),
  warmup: warmupPlanSchema,
  /** Left out where an observation has one window. */
  further: furtherSchema.optional(),
  generator: z.string(),
  /** Requests of a window in place of its duration; left out where it has one. */
  requests: z.int().positive().optional(),
  /** When a reply counts as missing at the earliest; left out where that is as ever. */
  reply_ms: z.int().positive().optional(),
  /** Threads of the generator asked for; null takes one a core it has. */
  threads: z.int().positive().nullable(),
  /** Seed of the order of steps and of the requests drawn. */
  seed: count,
  profile: z.string(),
  preset: z.string().nullable(),
  expectations: z.array(expectationSchema),
}).refine(({ cells, solo, ensembles, ceilings }) => {
  const places = [
    ...solo.map(({ cell }) => cell),
    ...ensembles.flatMap((one) => one.cells),
    ...ceilings.flatMap((one) => [one.cell, ...one.stands_for]),
  ];
  return places.every((each) => each < cells.length);
}, "it refers to a cell it does not have")
  .refine(({ axes, cells }) => new Set(cells.map((cell) => cellName(axes, cell))).size === cells.length, {
    message: "two of its cells have the same name",
    path: ["cells"],
  });

/** See {@link planSchema}. */
export type Plan = z.infer<typeof planSchema>;

/** See {@link furtherSchema}. */
export type FurtherAxis = z.infer<typeof furtherSchema>;

/** One expectation of a plan. */
export type PlanExpectation = z.infer<typeof expectationSchema>;

/** What an observation looks at: one cell alone, two or more together, or the generator against a server that does nothing. */
export type ObservationKind = "solo" | "ensemble" | "ceiling";

/** One step of a run: leaves one line in its journal. */
export interface PlannedObservation {
  readonly kind: ObservationKind;
  /** Place in the run, from 0. */
  readonly index: number;
  /** From 0. */
  readonly round: number;
  /** Seed of the requests drawn: the same for all steps of a round, so that all meet the same requests. */
  readonly draw_seed: number;
  readonly purpose: Plan["ensembles"][number]["purpose"] | null;
  /** Whether each cell is measured alone: the only one always, those of an ensemble in its first rounds. */
  readonly alone: boolean;
  /** Of a ceiling: the cell whose requests are sent. */
  readonly cells: readonly Cell[];
}
