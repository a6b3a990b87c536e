import { z } from "zod";
import { list, longText } from "./bounds.ts";
import { markSchema } from "./outcome-schema.ts";

const share = z.number().nonnegative();

/** A confidence interval. */
export const intervalSchema = z.strictObject({ low: z.number(), high: z.number(), level: z.number() });

/** The largest difference that a run invents; see `NoiseFloor` in bench/statistics/noise-floor.ts. */
export const floorSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["agree", "different"]), delta: share, bound: share, p: share, pairs: z.int() }),
  z.strictObject({ kind: z.literal("unknown"), mark: markSchema }),
]);

/** The two sides, as names of cells or texts of values, and the kind of measurement. */
const sides = { over: longText, under: longText, basis: z.enum(["together", "solo", "memory", "waits"]) };

/** The ratio at one speed of the core, and what a request cost both sides then, in ns of CPU time. */
const atCoreSpeed = z.strictObject({ ratio: z.number().positive(), over_ns: share, under_ns: share });

/** The speed of `over` over that of `under`, with a verdict on `over`; stored with the faster one as `over`. */
export type Comparison = z.infer<typeof comparisonSchema>;
export const comparisonSchema = z.discriminatedUnion("verdict", [
  z.strictObject({
    verdict: z.enum(["faster", "slower", "equivalent", "not-separable"]),
    ...sides,
    /** Rounds it rests on, or runs of the side with fewer. */
    rounds: z.int(),
    ratio: z.number().positive(),
    /** The interval the verdict was read from: all of a question hold together. */
    interval: intervalSchema,
    /** p against "the ratio differs from 1 by at most delta", adjusted for the question. */
    adjusted_p: share,
    /** Difference that counts at all in this run, as a share. */
    delta: share,
    /** The true difference that would be called faster in 90 % of runs, as a share; null if none would, and of quantiles. */
    smallest_detectable: share.nullable(),
    /** Only for `not-separable`: rounds that would decide it; null when no number of rounds would, not needed, and of quantiles. */
    rounds_needed: z.int().nullable(),
    /** The side whose figures are lower bounds: it is the faster one, by at least the ratio. */
    lower_bound: z.enum(["over", "under"]).optional(),
    /** The ratio where the core was slow and where it was fast; only where it is proven to move with the core's speed. */
    core: z.strictObject({ slow: atCoreSpeed, fast: atCoreSpeed }).optional(),
  }),
  z.strictObject({
    verdict: z.literal("no-verdict"),
    ...sides,
    ratio: z.null(),
    interval: z.null(),
    /** The reasons for having none, the weightiest first. */
    marks: list(markSchema).min(1),
  }),
]);

/** One that must not or cannot be judged. */
export type NoVerdict = Extract<Comparison, { verdict: "no-verdict" }>;
