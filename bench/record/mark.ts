import { z } from "zod";

/** Something is wrong: what, what follows from it, and a sentence. */
export const markSchema = z.strictObject({
  code: z.string(),
  /** `withholds`: no verdict is given; `voids`: an observation does not count. */
  effect: z.enum(["note", "withholds", "voids"]),
  text: z.string(),
});

/** See {@link markSchema}. */
export type Mark = z.infer<typeof markSchema>;
