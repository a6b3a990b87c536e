import { z } from "zod";
import { longText } from "./bounds.ts";

/** A program whose processes took a server's connections, as the system names it. */
export const servedSchema = z.strictObject({
  /** Its executable's own name. */
  name: longText,
  /** As it says when it is asked; null where it is none that can be asked. */
  version: longText.nullable(),
  /** Of its executable; null where it cannot be read. */
  sha256: longText.nullable(),
  /** `pinned`: the one this project runs of that name; `path`: the one on PATH. */
  from: z.enum(["pinned", "path", "elsewhere"]),
  /** Version of the pinned one, where there is one and this is another. */
  pinned: longText.optional(),
});

/** See {@link servedSchema}. */
export type Served = z.infer<typeof servedSchema>;
