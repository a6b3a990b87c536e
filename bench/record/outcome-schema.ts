import { z } from "zod";
import { longText } from "./bounds.ts";
import { type MarkCode, MARKS } from "./mark.ts";

/** Something that is wrong: a code for programs, what it does to figures, and a sentence for people. */
export const markSchema = z.strictObject({
  code: z.enum(Object.keys(MARKS) as [MarkCode, ...MarkCode[]]),
  effect: z.enum(["note", "withholds", "voids"]),
  text: longText,
}).refine(({ code, effect }) => MARKS[code].effect === effect, "its effect is not that of its code");

/** See {@link markSchema}. */
export type Mark = z.infer<typeof markSchema>;

/** The part that limited a load. */
export const boundSchema = z.enum(["server", "generator", "service", "network", "neither", "unknown"]);

/** See {@link boundSchema}. */
export type Bound = z.infer<typeof boundSchema>;
