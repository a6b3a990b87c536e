import { z } from "zod";

/** The one line a server process prints on stdout: it is listening, or this runtime cannot run the app. */
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
]);

/** What a listening server says of itself. */
export type ReadyLine = Exclude<z.infer<typeof readyLine>, { unsupported: string }>;
