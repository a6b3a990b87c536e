import { z } from "zod";

/** A line of trials.ndjson: what the generator reached against a server that does nothing, under the same pinning. */
export const ceilingRecord = z.strictObject({
  schema: z.literal("levelfield.ceiling/1"),
  index: z.int().nonnegative(),
  round: z.int().nonnegative(),
  status: z.enum(["ok", "failed"]),
  reason: z.string().nullable(),
  started_at: z.iso.datetime(),
  wall_ms: z.number().nonnegative(),
  requests: z.int().nonnegative().nullable(),
  duration_us: z.int().positive().nullable(),
  requests_per_second: z.number().nonnegative().nullable(),
  generator_share: z.number().nonnegative().nullable(),
});

/** See {@link ceilingRecord}. */
export type CeilingRecord = z.infer<typeof ceilingRecord>;
