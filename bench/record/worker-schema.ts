import { z } from "zod";
import { list, word } from "./bounds.ts";

const count = z.int().nonnegative();
const ns = z.number().nonnegative();

/** What the workers of a server did during a load on it, warm-up in the same load included. */
export const workersUseSchema = z.strictObject({
  /** How they share their port. */
  by: word,
  /** Requests the server was sent meanwhile; of each connection the last may not have been answered. */
  requests: count,
  /** Nanoseconds of the server and all it started: its workers', and those beside them. */
  cpu_ns: ns.nullable(),
  /** Nanoseconds of what is no worker: what starts them or hands over, threads that serve all. Null where not told apart. */
  beside_ns: ns.nullable().optional(),
  each: list(z.strictObject({
    /** Requests that reached its handler; null where it cannot be asked, or something else answers some. */
    requests: count.nullable(),
    /** Nanoseconds of its process, of a thread its own; null where it cannot be read. */
    cpu_ns: ns.nullable(),
    /** CPUs it was seen on: a few looks, spread over the load. */
    cpus: list(count),
    /** Resident after the load; null of a thread, whose memory is its process's. */
    bytes: count.nullable(),
  })),
});

/** See {@link workersUseSchema}. */
export type WorkersUse = z.infer<typeof workersUseSchema>;
