import { z } from "zod";

/** The one line of a server process on stdout: it is listening, its runtime cannot run the app, or its module has none. */
export const readyLine = z.union([
  z.strictObject({
    schema: z.literal("levelfield.ready/2"),
    runtime: z.enum(["node", "deno", "bun"]),
    version: z.string(),
    pid: z.int().positive(),
    url: z.url(),
    /** Milliseconds to open the app. */
    openMs: z.number().nonnegative(),
    diskBytes: z.int().nonnegative().nullable(),
    facts: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  z.strictObject({ schema: z.literal("levelfield.ready/2"), unsupported: z.string() }),
  z.strictObject({
    schema: z.literal("levelfield.ready/2"),
    refused: z.enum(["is-program", "no-app"]),
    /** The reason in words; stderr has them too. */
    fault: z.string(),
  }),
]);

/** The line that a server prints once it listens. */
export type ReadyLine = Exclude<z.infer<typeof readyLine>, { unsupported: string } | { refused: string }>;
