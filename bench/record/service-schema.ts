import { z } from "zod";
import { list, longText, word } from "./bounds.ts";

/** A program that ran beside a server: what it was, and where. */
export const serviceFactsSchema = z.strictObject({
  name: word,
  version: word,
  /** Settings in force, as it says them. */
  facts: z.record(longText, z.union([longText, z.number()])),
  /** CPUs it was given; null where it was not pinned. */
  cpus: list(z.int().nonnegative()).nullable(),
  startup_ms: z.number().nonnegative().nullable(),
  /** The shortest handshake from its servers' host in microseconds; left out where it has no host of its own. */
  round_trip_us: z.number().nonnegative().nullable().optional(),
  /** Connections that stayed open at it after its server had ended; left out where none did, and where nobody tells. */
  left_open: z.int().positive().optional(),
});

/** What a service did during a load on its server, warm-up in the same load included. */
export const serviceUseSchema = z.strictObject({
  name: word,
  /** Requests the server was sent meanwhile. */
  requests: z.int().nonnegative(),
  /** Nanoseconds of it and all it started; null where it cannot be read. */
  cpu_ns: z.number().nonnegative().nullable(),
  /** Open at it before and after; left out where its host does not tell. */
  connections: z.strictObject({ before: z.int().nonnegative(), after: z.int().nonnegative() }).optional(),
  /** What it counted itself meanwhile, by name; left out where it counts nothing. */
  counts: z.record(longText, z.number()).optional(),
});

/** See {@link serviceUseSchema}. */
export type ServiceUse = z.infer<typeof serviceUseSchema>;
