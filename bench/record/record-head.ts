import { z } from "zod";
import { ownSpecSchema } from "./own-spec.ts";
import { hostsSchema } from "./run-record.ts";

/** What records of single measurements, those of no run, say of when, how and by what they were made. */
export const recordHead = {
  started_at: z.iso.datetime(),
  wall_ms: z.number().nonnegative(),
  seed: z.int().nonnegative(),
  /** Of each window. */
  duration_ms: z.int().positive(),
  cpu_kind: z.string(),
  server_cpus: z.array(z.int()).nullable(),
  load_cpus: z.array(z.int()).nullable(),
  generators: z.array(z.strictObject({ name: z.string(), version: z.string(), sha256: z.string() })),
  /** What the suite is made from where it is of servers of one's own; left out for all others. */
  own: ownSpecSchema.optional(),
  /** Only where hosts were named. */
  hosts: hostsSchema.optional(),
} as const;
