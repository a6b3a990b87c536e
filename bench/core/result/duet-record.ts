import { z } from "zod";
import { cellSchema, reasonSchema, serverFactsSchema } from "./trial-record.ts";

const count = z.int().nonnegative();
const share = z.number().nonnegative().nullable();

/** A part of a window: requests sent in it, interpolated within slots of 20 ms, and CPU time. */
const part = z.strictObject({ requests: z.number().nonnegative(), cpu_ns: z.number().nonnegative() });

/** One of the two servers of a duet. */
export const duetSideSchema = z.strictObject({
  cell: cellSchema,
  label: z.string(),
  server: serverFactsSchema.nullable(),
  oracle: z.strictObject({ before: count, after: count }).nullable(),
  requests: count.nullable(),
  cpu_ns: z.number().nonnegative().nullable(),
  cpu_ns_per_request: z.number().positive().nullable(),
  /** The window's first third and the rest up to 90 % of it: whether the server was warm. Null where not sampled. */
  parts: z.tuple([part, part]).nullable(),
});

/** A line of trials.ndjson: two servers on one core, loaded at the same time, compared by CPU time per request. */
export const duetRecord = z.strictObject({
  schema: z.literal("levelfield.duet/2"),
  index: count,
  round: count,
  purpose: z.enum(["runtimes", "stores", "labels", "aa", "pair"]),
  draw_seed: count,
  /** Which side started first and had the generator's first thread; alternates over rounds. */
  first: z.enum(["a", "b"]),
  a: duetSideSchema,
  b: duetSideSchema,
  status: z.enum(["ok", "invalid", "failed"]),
  reasons: z.array(reasonSchema),
  started_at: z.iso.datetime(),
  wall_ms: z.number().nonnegative(),
  duration_us: z.int().positive().nullable(),
  /** Busy shares over the inner part of the window: both servers of their core, the busiest generator thread. */
  servers_share: share,
  /** Busy share of that core, others' work included: below full, the servers waited for something else than the CPU. */
  core_share: share,
  generator_share: share,
  foreign_share: share,
  /** ln(CPU per request of b / of a): positive when a is the faster. Null unless ok. */
  log_ratio: z.number().nullable(),
  stderr_tail: z.string().nullable(),
});

/** See {@link duetRecord}. */
export type DuetRecord = z.infer<typeof duetRecord>;
