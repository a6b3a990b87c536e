import { z } from "zod";

const port = z.int().positive().max(65_535);

/** The one line a service prints on stdout: it is ready, or it cannot be here, with what to install. */
export const serviceLine = z.union([
  z.strictObject({
    event: z.literal("ready"),
    /** Where it listens, on the address in HOST. */
    port,
    version: z.string(),
    /** Settings in force, as it says them itself. */
    facts: z.record(z.string(), z.union([z.string(), z.number()])),
    /** Where it tells on loopback what it has counted: a line `totals` is answered with one of JSON, numbers by name. */
    counts: port.optional(),
    /** Variables by which its clients are let in, such as a password: their server gets them, and nobody writes them down. */
    env: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    event: z.literal("unsupported"),
    message: z.string(),
    /** Commands that install it, separated by a comma. */
    install: z.string().optional(),
  }),
]);

/** A line that a service prints. */
export type ServiceLine = z.infer<typeof serviceLine>;

/** The line that a service prints once it is ready. */
export type ReadyService = Extract<ServiceLine, { event: "ready" }>;
