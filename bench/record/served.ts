import { z } from "zod";

/** A program whose processes took a server's connections, as the system names it. */
export const servedSchema = z.strictObject({
  /** Its executable's own name. */
  name: z.string(),
  /** As it says when it is asked; null where it is none that can be asked. */
  version: z.string().nullable(),
  /** Of its executable; null where it cannot be read. */
  sha256: z.string().nullable(),
  /** `pinned`: the one this project runs of that name; `path`: the one on PATH. */
  from: z.enum(["pinned", "path", "elsewhere"]),
  /** Version of the pinned one, where there is one and this is another. */
  pinned: z.string().optional(),
});

/** See {@link servedSchema}. */
export type Served = z.infer<typeof servedSchema>;
