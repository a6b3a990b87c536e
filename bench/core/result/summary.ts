import { z } from "zod";
import { cellSchema } from "./trial-record.ts";

const share = z.number().nonnegative();
const interval = z.strictObject({ low: z.number(), high: z.number(), level: z.number() });

/** One verdict: what comparing subject a with subject b says. Ratios are speed of a over speed of b. */
export const verdictSchema = z.discriminatedUnion("verdict", [
  z.strictObject({
    verdict: z.enum(["faster", "equivalent", "not-separable"]),
    a: z.string(),
    b: z.string(),
    basis: z.enum(["duet", "solo"]),
    rounds: z.int(),
    ratio: z.number().positive(),
    interval,
    adjusted_p: share,
    /** Difference that counts at all in this run, as a share. */
    delta: share,
    smallest_detectable: share.nullable(),
    /** Only for `faster`. */
    winner: z.enum(["a", "b"]).nullable(),
    /** Only for `not-separable`: rounds that would decide it; null when no number of rounds would, or not needed. */
    rounds_needed: z.int().nullable(),
  }),
  z.strictObject({
    verdict: z.literal("no-verdict"),
    a: z.string(),
    b: z.string(),
    basis: z.enum(["duet", "solo"]),
    cause: z.string(),
    reasons: z.array(z.string()),
  }),
]);

/** See {@link verdictSchema}. */
export type VerdictEntry = z.infer<typeof verdictSchema>;

const floorSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["agree", "different"]), delta: share, bound: share, p: share, pairs: z.int() }),
  z.strictObject({ kind: z.literal("unknown"), reason: z.string() }),
]);

/** How the ratio of a pair measured as a duet went within its windows. */
const steadinessSchema = z.strictObject({
  a: z.string(),
  b: z.string(),
  /** Rounds that say something. */
  rounds: z.int().nonnegative(),
  /** What the ratio of CPU per request (b over a) changed by after the window's first third: mean over rounds, a share. */
  shift: z.number().nullable(),
  interval: interval.nullable(),
  /** `moving`: one server was still getting cheaper than the other, so the pair gets no verdict. */
  steadiness: z.enum(["flat", "moving", "unknown"]),
});

/** summary.json: what a run says as a whole; a pure function of run.json and trials.ndjson. */
export const summarySchema = z.strictObject({
  schema: z.literal("levelfield.summary/2"),
  run: z.string(),
  /** What the run's own evidence contradicts; stands at the top of every output. Empty in a sound run. */
  stamps: z.array(
    z.strictObject({ code: z.enum(["aa-different", "interrupted", "ceiling-drift", "steal"]), message: z.string() }),
  ),
  /** Requests per second the generator reached against a server that does nothing: median over rounds. */
  ceiling_requests_per_second: z.number().nonnegative().nullable(),
  noise_floor: z.strictObject({ duet: floorSchema, solo: floorSchema }),
  cells: z.array(z.strictObject({
    subject: z.string(),
    cell: cellSchema,
    label: z.string(),
    flags: z.array(z.strictObject({ code: z.string(), message: z.string(), objection: z.boolean() })),
    steadiness: z.enum(["flat", "warming-up", "slowing-down", "unknown"]),
    cv: share.nullable(),
  })),
  duets: z.array(steadinessSchema),
  /** Comparisons shown together, corrected together. */
  families: z.array(z.strictObject({
    /** `pair`: two cells named by hand, which need not share anything but the size. */
    purpose: z.enum(["runtimes", "stores", "labels", "pair"]),
    /** What its members share, for people: `sqlite, 10k users`. */
    title: z.string(),
    size: z.int().positive(),
    store: z.string().nullable(),
    runtime: z.string().nullable(),
    verdicts: z.array(verdictSchema),
    /** Groups of equal rank, the fastest first. */
    ranking: z.array(z.strictObject({ rank: z.int().positive(), subjects: z.array(z.string()) })),
    unranked: z.array(z.strictObject({ subject: z.string(), reasons: z.array(z.string()) })),
  })),
  scaling: z.array(z.strictObject({
    runtime: z.string(),
    store: z.string(),
    label: z.string(),
    complexity: z.string(),
    exponent: z.number().nullable(),
    interval: interval.nullable(),
    check: z.enum(["fits", "does-not-fit", "unknown"]),
    reason: z.string().nullable(),
  })),
});

/** See {@link summarySchema}. */
export type Summary = z.infer<typeof summarySchema>;
