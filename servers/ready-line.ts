import { z } from "zod";

/** The one line a server process prints on stdout when it is listening. */
export const readyLine = z.strictObject({
  schema: z.literal("levelfield.ready/1"),
  runtime: z.enum(["node", "deno", "bun"]),
  version: z.string(),
  pid: z.int().positive(),
  url: z.url(),
  app: z.enum(["users", "bare", "null"]),
  /** Milliseconds to open the store; 0 without one. */
  loadMs: z.number().nonnegative(),
  store: z.strictObject({
    name: z.string(),
    engine: z.string(),
    sqliteVersion: z.string().nullable(),
    sqliteSourceId: z.string().nullable(),
    pragmas: z.record(z.string(), z.union([z.string(), z.number()])),
    diskBytes: z.int().nonnegative(),
  }).nullable(),
});

/** See {@link readyLine}. */
export type ReadyLine = z.infer<typeof readyLine>;
