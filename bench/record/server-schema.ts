import { z } from "zod";
import { list, longText, word } from "./bounds.ts";

/** A service of a server: its program, version, settings and CPUs. */
export const serviceFactsSchema = z.strictObject({
  name: word,
  version: word,
  /** Settings in force, as it says them. */
  facts: z.record(longText, z.union([longText, z.number()])),
  /** CPUs it was given; null if it was not pinned. */
  cpus: list(z.int().nonnegative()).nullable(),
  startup_ms: z.number().nonnegative().nullable(),
  /** The shortest handshake from its servers' host in microseconds; absent without a separate host. */
  round_trip_us: z.number().nonnegative().nullable().optional(),
  /** Connections that stayed open at it after its server had ended; absent if none did, or if it does not report them. */
  left_open: z.int().positive().optional(),
});

/** The work of a service during a load on its server, warm-up in the same load included. */
export type ServiceUse = z.infer<typeof serviceUseSchema>;
export const serviceUseSchema = z.strictObject({
  name: word,
  /** Requests the server was sent meanwhile. */
  requests: z.int().nonnegative(),
  /** Nanoseconds of the process and all its children; null if unreadable. */
  cpu_ns: z.number().nonnegative().nullable(),
  /** Connections open at it before and after; absent if its host does not report them. */
  connections: z.strictObject({ before: z.int().nonnegative(), after: z.int().nonnegative() }).optional(),
  /** Its counts meanwhile, by name; absent if it counts nothing. */
  counts: z.record(longText, z.number()).optional(),
});

/** A program whose processes took a server's connections, as the system names it. */
export type Served = z.infer<typeof servedSchema>;
export const servedSchema = z.strictObject({
  /** Name of its executable. */
  name: longText,
  /** Version by its output; null if it has no such option. */
  version: longText.nullable(),
  /** Hash of its executable; null if it cannot be read. */
  sha256: longText.nullable(),
  /** `pinned`: the version that this project pins; `path`: the one on PATH. */
  from: z.enum(["pinned", "path", "elsewhere"]),
  /** Version of the pinned one, where there is one and this is another. */
  pinned: longText.optional(),
});

const count = z.int().nonnegative();
const ns = z.number().nonnegative();

/** The work of a server's workers during a load on it, warm-up in the same load included. */
export type WorkersUse = z.infer<typeof workersUseSchema>;
export const workersUseSchema = z.strictObject({
  /** The way they share their port. */
  by: word,
  /** Requests the server was sent meanwhile; of each connection the last may not have been answered. */
  requests: count,
  /** Nanoseconds of the server and all its children: of workers and of other processes. */
  cpu_ns: ns.nullable(),
  /** Nanoseconds of processes and threads that are no workers, such as the parent of workers. Null if not separable. */
  beside_ns: ns.nullable(),
  each: list(z.strictObject({
    /** Requests that reached its handler; null if it does not count them, or if something else answers some. */
    requests: count.nullable(),
    /** Nanoseconds of its process or thread; null if it cannot be read. */
    cpu_ns: ns.nullable(),
    /** CPUs it was seen on: a few looks, spread over the load. */
    cpus: list(count),
    /** Resident after the load; null of a thread, whose memory is its process's. */
    bytes: count.nullable(),
  })),
});
