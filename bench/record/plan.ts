import { z } from "zod";
import { counted } from "../basics/units.ts";
import { BOUNDS, lastsMs, list, longText, rounds, seed, word } from "./bounds.ts";
import { cellName, isAtRate } from "./cell.ts";
import { atSchema, type Cell, cellSchema, planAxisSchema, pointSchema } from "./cell-schema.ts";
import { sourceSchema, userSpecSchema } from "./user-spec.ts";
import type { Mark } from "./outcome-schema.ts";
import { isEachOnce, pairsAtMost, stepsAtMost } from "./plan-size.ts";
import { MOST_LOOKS, MOST_SETTLES, RANGES, SCHEDULES } from "./ranges.ts";

const place = z.int().nonnegative();
const metric = z.enum(["requests_per_second", "rows_per_second", "cpu_ns_per_request"]);

/** A suite's expectations as a plan keeps them; see `Expectation` in suites/suite.ts. */
export const expectationSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("published"), at: atSchema, metric, value: z.number(), source: longText }),
  z.strictObject({
    kind: z.literal("ratio"),
    name: longText,
    over: atSchema,
    under: atSchema,
    metric,
    least: z.number().optional(),
    most: z.number().optional(),
    published: z.number().optional(),
    why: longText,
  }),
  z.strictObject({
    kind: z.literal("scaling"),
    axis: longText,
    at: atSchema,
    law: longText,
    least: z.number(),
    greatest: z.number(),
    why: longText,
  }),
  z.strictObject({
    kind: z.literal("steps"),
    name: longText,
    axis: longText,
    values: list(z.union([word, z.number()]), BOUNDS.values),
    at: atSchema.optional(),
    metric,
    why: longText,
  }),
  z.strictObject({ kind: z.literal("ceiling"), at: atSchema, least: z.number() }),
]);

/** Cells compared directly, at the same time on one core, and the purpose. */
const ensembleSchema = z.strictObject({
  /** `matrix`: cells of a matrix with equal conditions; `pair`: cells named by hand. One may occur twice, as A/A. */
  purpose: z.enum(["matrix", "pair"]),
  /** Places in `cells`. */
  cells: list(place, BOUNDS.members).min(2),
  /** The number of its rounds, from the first. */
  rounds,
});

/** Rounds after all others that `bench settle` added: of cells whose comparisons were open, with an A/A pair. */
export type SettlePart = z.infer<typeof settleSchema>;
const settleSchema = z.strictObject({
  /** Some cells of an ensemble, as places in `cells`; the ensemble as place in `ensembles`. */
  ensembles: list(z.strictObject({ of: place, cells: list(place, BOUNDS.members).min(2) }), BOUNDS.cells),
  /** Cells measured alone, as places in `cells`. */
  solo: list(place, BOUNDS.cells),
  rounds,
  /** Seed of their order and of the requests drawn. */
  seed,
});

/** The kind of warm-up: until each server's CPU time per request is flat, or for a time given by hand. */
const warmupPlanSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("steady"),
    /** Given up after this for one server alone. */
    most_ms: lastsMs,
    /** Expected length of one alone, if the suite gives it. */
    expected_ms: lastsMs.optional(),
  }),
  z.strictObject({ kind: z.literal("fixed"), ms: lastsMs, loads: z.int().min(1).max(6) }),
]);

/** An axis of extra windows in each observation: one on the same warm server for each of its values. */
const extraAxisSchema = z.strictObject({
  /**
   * Requests per second that are due, after a closed loop: the values of the plan's axis of that name. With a limit
   * one more round searches for the highest rate that holds it.
   */
  axis: z.literal("rate"),
  /** The generator that keeps the rates. */
  generator: longText,
  /** A limit such as `p99<10ms`; null without a search. */
  limit: longText.nullable(),
  /** Absent for a fixed one. */
  schedule: z.enum(SCHEDULES).optional(),
});

/** The subject of a plan: its suite, with what the suite expects. */
export type PlanSubject = z.infer<typeof subjectSchema>;
const subjectSchema = z.strictObject({
  suite: z.strictObject({
    name: word,
    title: word,
    /** The suite's subject in a few words; absent if it has none, and in plans of earlier versions. */
    subject: word.optional(),
    /** Path of the suite's module where it is not one of this project's. */
    module: longText.nullable(),
    /** Hash over the source of a suite that a config defines; absent for all others. See user-spec.ts. */
    source: sourceSchema.optional(),
    /** The source of a suite that the command line or a config made; absent for all others. */
    own: userSpecSchema.optional(),
  }),
  axes: list(planAxisSchema, BOUNDS.axes),
  profile: word,
  preset: word.nullable(),
  expectations: list(expectationSchema, BOUNDS.expectations),
});

/** A time for the rounds of a plan, which evidence spreads over them; see bench/plan/allotment.ts. */
const timedSchema = z.strictObject({
  ms: lastsMs,
  /** `rounds` of the plan are the least. */
  most_rounds: rounds,
  /** Counted time of a server in each round, chosen by hand; absent if evidence chooses it after the first one. */
  window_ms: lastsMs.optional(),
  /** Rounds after which verdicts are looked at, and the run ends if they are sure; absent for one look at its end. */
  looks: list(rounds, MOST_LOOKS).min(1).optional(),
});

/** The steps of a plan: the cells measured, alone and together, and how often. */
export type PlanSteps = z.infer<typeof stepsSchema>;
const stepsSchema = z.strictObject({
  /** Every cell of the plan, once. */
  cells: list(cellSchema, BOUNDS.cells).min(1),
  /** Cells measured alone only, as places in `cells`, and in how many rounds. */
  solo: list(z.strictObject({ cell: place, rounds }), BOUNDS.cells),
  /** Cells measured together; verdicts rest on them. */
  ensembles: list(ensembleSchema, BOUNDS.cells),
  /** Rounds in which each server of an ensemble is also measured alone, before it is measured with the others. */
  alone_rounds: z.int().min(0).max(RANGES.rounds[1]),
  /** Kinds of request, each with the cells that are sent it: the generator's ceiling is measured once for each. */
  ceilings: list(z.strictObject({ cell: place, stands_for: list(place, BOUNDS.cells) }), BOUNDS.cells),
  /** Values that a quick plan leaves out for its time, as texts; absent if it has all. */
  left_out: list(z.strictObject({ axis: word, values: list(word, BOUNDS.values) }), BOUNDS.axes).optional(),
  /** Requested points that cannot be measured, each with the reason. */
  unsupported: list(z.strictObject({ point: pointSchema, reason: longText }), 4 * BOUNDS.cells),
  rounds,
  /** Rounds after these at most, made only where others voided one of these; absent if none is. */
  spare_rounds: rounds.optional(),
  /** Absent if the rounds and their lengths are fixed. */
  timed: timedSchema.optional(),
  /** Absent if the run was never settled. */
  settles: list(settleSchema, MOST_SETTLES).min(1).optional(),
});

/** The order of steps. */
const orderSchema = z.strictObject({
  /** True if each round begins with its ensembles, so that verdicts come early; absent if their order is random. */
  together_first: z.literal(true).optional(),
  /** True if each round ends with its ensembles, as in plans of earlier versions. */
  together_last: z.literal(true).optional(),
  /** Seed of the order of steps and of the requests drawn. */
  seed,
});

/** The lengths of a step's parts. */
export type PlanLengths = z.infer<typeof lengthsSchema>;
const lengthsSchema = z.strictObject({
  /** Measured window of a cell alone. */
  duration_ms: lastsMs,
  /** Measured window of an ensemble, for each of its servers. */
  ensemble_ms: lastsMs,
  warmup: warmupPlanSchema,
  /** Time in ms after which a reply counts as missing, at the earliest; absent for the default. */
  reply_ms: lastsMs.optional(),
  /** Idle time of servers after their load in ms, before their memory is read again; absent without any. */
  rest_ms: lastsMs.optional(),
});

/** Everything that decides what a run does, apart from the machine; run.json keeps it, and a repeated run reads it. */
export type Plan = z.infer<typeof planSchema>;
export const planSchema = z.strictObject({
  schema: z.literal("levelfield.plan/2"),
  ...subjectSchema.shape,
  ...stepsSchema.shape,
  ...orderSchema.shape,
  /** True if cells are compared only when they use their services the same way; absent if all are. */
  like: z.literal(true).optional(),
  ...lengthsSchema.shape,
  /** Absent if an observation has one window. */
  further: extraAxisSchema.optional(),
  generator: word,
  /** The word for a call of the function that is measured: `start`; absent if that is `call`. */
  unit: word.optional(),
  /** Requested threads of the generator; null takes one for each of its cores. */
  threads: z.int().positive().max(BOUNDS.threads).nullable(),
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
  })
  .refine(({ cells, solo, ensembles, ceilings, further }) => {
    const open = cells.flatMap(({ point }, n) => isAtRate(point.at) ? [n] : []);
    const places = [
      solo.map(({ cell }) => cell),
      ...ensembles.map((one) => one.cells),
      ceilings.map(({ cell }) => cell),
    ];
    return open.length === 0 || further !== undefined && !places.flat().some((place) => open.includes(place));
  }, "a cell at a rate is measured as one without")
  .refine(isEachOnce, "a cell, an ensemble or a ceiling stands in it twice")
  .refine(
    ({ cells, ensembles, settles = [] }) =>
      settles.every((one) =>
        one.solo.every((place) => place < cells.length) &&
        one.ensembles.every(({ of, cells }) => cells.every((place) => ensembles[of]?.cells.includes(place)))
      ),
    "it settles cells that it does not measure together",
  )
  .refine((plan) => stepsAtMost(plan) <= BOUNDS.steps, {
    message: `it comes to more than ${counted(BOUNDS.steps, "step")}, a server each`,
    path: ["rounds"],
  })
  .refine((plan) => pairsAtMost(plan) <= BOUNDS.comparisons, {
    message: `it may compare more than ${counted(BOUNDS.comparisons, "pair")}`,
    path: ["cells"],
  });

/** One expectation of a plan. */
export type PlanExpectation = z.infer<typeof expectationSchema>;

/** The kind of an observation: one cell alone, two or more together, or the generator against the null server. */
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
  /** True if each cell is measured alone: the only one always, those of an ensemble in its first rounds. */
  readonly alone: boolean;
  /** True for an ensemble whose servers bear no halts: they are measured alone only. Absent for all others. */
  readonly apart?: true;
  /** Cells that are not measured any more, by their keys, each with the mark that says why. Absent for none. */
  readonly ended?: ReadonlyMap<string, Mark>;
  /** Counted milliseconds of each server of an ensemble, or alone where it is `apart`; absent if they are the plan's. */
  readonly counted_ms?: number;
  /** The cell whose requests a ceiling sends. */
  readonly cells: readonly Cell[];
}
