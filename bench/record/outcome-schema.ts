import { z } from "zod";
import { longText } from "./bounds.ts";
import { type MarkCode, MARKS } from "./mark.ts";
import { ALL_BOUNDS } from "./bound-table.ts";

/** Something that is wrong: a code for programs, its effect on figures, its place, and a sentence for people. */
export type Mark = z.infer<typeof markSchema>;
export const markSchema = z.strictObject({
  code: z.enum(Object.keys(MARKS) as [MarkCode, ...MarkCode[]]),
  effect: z.enum(["note", "withholds", "voids"]),
  text: longText,
  /** Name of the marked cell; absent if the mark is listed with its cell, or concerns several. */
  cell: longText.optional(),
}).refine(({ code, effect }) => MARKS[code].effect === effect, "its effect is not that of its code");

/** The part that limited a load. */
export const boundSchema = z.enum(ALL_BOUNDS);
