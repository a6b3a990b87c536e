import { z } from "zod";
import { list, longText } from "./bounds.ts";

const count = z.int().nonnegative();
const file = longText.min(1);

/** board.json: what a board holds, and in which of its files all of it stands. Lists are lines of JSON in files of their own. */
export const boardIndex = z.strictObject({
  schema: z.literal("levelfield.board/2"),
  /** Runs that are shown. */
  runs: count,
  /** What was found and is not shown; `data.refused` says why. */
  refused: count,
  /** Copies of runs that are shown. */
  copies: count,
  /** A kind and model of CPU each; where servers were loaded from another machine, these two. */
  machines: list(z.strictObject({
    name: longText,
    cpu_kind: longText,
    cpu_model: longText,
    /** CPU of the load generator's machine; left out where that is the servers'. */
    load: z.strictObject({ cpu_kind: longText, cpu_model: longText }).optional(),
    runs: z.int().positive(),
    page: file,
  })),
  suites: list(z.strictObject({
    name: longText,
    title: longText,
    runs: z.int().positive(),
    machines: z.int().positive(),
    /** Comparisons that some machine decided. */
    comparisons: count,
    /** Of these, those that several kinds of CPU made. */
    on_several_kinds: count,
    /** What kinds of CPU say together; null where no two made a comparison. */
    sentence: longText.nullable(),
    page: file,
    /** A line for each comparison, with what each machine says of it. */
    data: file,
  })),
  data: z.strictObject({ runs: file, refused: file }),
});

/** See {@link boardIndex}. */
export type BoardIndex = z.infer<typeof boardIndex>;
