import { z } from "zod";
import { cellKey, cellName } from "./cell.ts";
import { atSchema, type Cell, cellSchema, planAxisSchema, pointSchema } from "./cell-schema.ts";
import { rateAt } from "./open-loop.ts";
import { ownSpecSchema, sourceSchema } from "./own/own-spec.ts";
import { createRandom, shuffle } from "./random.ts";
import { turnsTakeMs } from "./turn-length.ts";
import { AT_WORK_EVERY_MS, AT_WORK_MS, SETTLE_IN_TURNS_MS, SETTLE_MS } from "./warm-up-lengths.ts";

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

/** One expectation of a plan. */
export type PlanExpectation = z.infer<typeof expectationSchema>;

/** What an observation looks at: one cell alone, two or more together, or the generator against a server that does nothing. */
export type ObservationKind = "solo" | "duet" | "ensemble" | "ceiling";

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

/** The kind of an observation of so many cells together. */
export const kindOf = (cells: readonly unknown[]): ObservationKind =>
  cells.length === 1 ? "solo" : cells.length === 2 ? "duet" : "ensemble";

/**
 * The steps of a plan. A round is every ceiling, every solo cell and every ensemble that has as many rounds, once, in an
 * order of its own shuffled from the plan's seed, ensembles last where the plan says so: so a run stopped after any round
 * has all of the plan up to it. After them come the spare rounds, of each cell that is measured alone and each ensemble
 * that is measured in every round: which of their steps are made, spare-rounds.ts says.
 */
export function scheduleOf(plan: Plan): PlannedObservation[] {
  const random = createRandom(plan.seed);
  const steps: PlannedObservation[] = [];
  const drawSeed = () => Math.floor(random() * 2 ** 32);
  const drawSeeds = Array.from({ length: plan.rounds }, drawSeed);
  const cellsAt = (places: readonly number[]) => places.map((each) => plan.cells[each]!);
  const aloneRounds = roundsAlone(plan);
  const addRound = (draw_seed: number, round: number) => {
    const isIn = ({ rounds }: { readonly rounds: number }) => Math.min(round, plan.rounds - 1) < rounds;
    const solo = isSpare(plan, { round }) ? cellsAlone(plan) : plan.solo.filter(isIn).map(({ cell }) => cell);
    const own: Omit<PlannedObservation, "index" | "round" | "draw_seed">[] = [
      ...(round >= aloneRounds ? [] : plan.ceilings).map(({ cell }) => ({
        kind: "ceiling" as const,
        purpose: null,
        alone: true,
        cells: cellsAt([cell]),
      })),
      ...solo.map((cell) => ({
        kind: "solo" as const,
        purpose: null,
        alone: true,
        cells: cellsAt([cell]),
      })),
      ...plan.ensembles.filter(isIn).map(({ purpose, cells }) => ({
        kind: kindOf(cells),
        purpose,
        alone: round < plan.alone_rounds,
        cells: cellsAt(cells),
      })),
    ];
    const shuffled = shuffle(own, random);
    const last = plan.together_last === true ? shuffled.filter(({ purpose }) => purpose !== null) : [];
    for (const step of [...shuffled.filter((step) => !last.includes(step)), ...last]) {
      steps.push({ ...step, index: steps.length, round, draw_seed });
    }
  };
  drawSeeds.forEach(addRound);
  for (let spare = 0; spare < (plan.spare_rounds ?? 0); spare++) addRound(drawSeed(), plan.rounds + spare);
  return steps;
}

/** Whether a step is made only where others voided one like it. */
export const isSpare = ({ rounds }: Pick<Plan, "rounds">, { round }: Pick<PlannedObservation, "round">): boolean =>
  round >= rounds;

/** Places of the cells that are measured alone, by themselves or before they are measured with others. */
const cellsAlone = ({ solo, ensembles, alone_rounds }: Plan): number[] => [
  ...new Set([
    ...solo.map(({ cell }) => cell),
    ...(alone_rounds === 0 ? [] : ensembles.flatMap(({ cells }) => cells)),
  ]),
];

/** Rounds of a plan in which some cell is measured alone. */
const roundsAlone = (plan: Plan) =>
  Math.max(plan.ensembles.length === 0 ? 0 : plan.alone_rounds, ...plan.solo.map(({ rounds }) => rounds), 0);

/** In which order the members of an observation start and get the generator's threads: turned by one each round. */
export function orderOf(members: number, round: number): number[] {
  return Array.from({ length: members }, (_, place) => (round + place) % members);
}

/** A step's name: equal for the same step of different rounds, and unique among the others. */
export function stepName(step: PlannedObservation): string {
  return JSON.stringify([step.kind, ...step.cells.map(cellKey)]);
}

/** What a step measures, in a few words. */
export function stepText(plan: Pick<Plan, "axes" | "ceilings">, step: PlannedObservation): string {
  const names = step.cells.map((cell) => cellName(plan.axes, cell));
  if (step.kind === "solo") return names[0]!;
  if (step.kind === "ceiling") {
    return plan.ceilings.length > 1 ? `generator ceiling (${names[0]})` : "generator ceiling";
  }
  return names.length <= 3
    ? `${step.kind} ${names.join(" | ")}`
    : `${step.kind} of ${names.length}, ${names[0]} to ${names.at(-1)}`;
}

/** Measured window of a ceiling in milliseconds. */
export const CEILING_MS = 1_000;

/** Milliseconds a server is expected to warm up, alone (seen: 2.3 and 2.4 s on a shared machine); runs here say what it is. */
const EXPECTED_WARMUP_MS = 2_500;

/** Milliseconds a step is expected to spend under load: what it measures and warms up, without starting and checking. */
export function stepLoadMs(plan: Plan, step: PlannedObservation): number {
  if (step.kind === "ceiling") return CEILING_MS;
  const { warmup } = plan;
  const eachMs = (warmup.kind === "fixed" ? warmup.loads * warmup.ms : EXPECTED_WARMUP_MS) +
    (step.alone ? SETTLE_MS + plan.duration_ms : 0);
  const servers = step.cells.length;
  const together = step.kind === "solo" ? 0 : turnsTakeMs(windowTogetherMs(plan, servers), servers) +
    SETTLE_IN_TURNS_MS * servers +
    AT_WORK_MS * (servers - 1) / 2 * Math.floor(servers * eachMs / AT_WORK_EVERY_MS);
  // At a rate the window is made twice, once for each clock.
  const bySender = step.cells.some(({ point }) => rateAt(point.at) !== null) ? SETTLE_MS + plan.duration_ms : 0;
  return servers * eachMs + together + bySender;
}

/** Least window of servers together: less holds a garbage collection of one of them, or does not. */
const LEAST_TOGETHER_MS = 2_000;

/** Window of so many servers together in milliseconds: whole seconds, without what leads in to their turns. */
export function windowTogetherMs({ ensemble_ms }: Pick<Plan, "ensemble_ms">, members: number): number {
  return Math.max(LEAST_TOGETHER_MS, 1_000 * Math.ceil(members * ensemble_ms / 1_000));
}

/** Milliseconds a plan is expected to spend under load, its spare rounds left out. */
export function loadedMs(plan: Plan): number {
  return scheduleOf(plan).filter((step) => !isSpare(plan, step)).reduce((sum, step) => sum + stepLoadMs(plan, step), 0);
}
