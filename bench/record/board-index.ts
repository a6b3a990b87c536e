import { z } from "zod";

const count = z.int().nonnegative();
const file = z.string().min(1);

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
  machines: z.array(z.strictObject({
    name: z.string(),
    cpu_kind: z.string(),
    cpu_model: z.string(),
    /** CPU of the load generator's machine; left out where that is the servers'. */
    load: z.strictObject({ cpu_kind: z.string(), cpu_model: z.string() }).optional(),
    runs: z.int().positive(),
    page: file,
  })),
  suites: z.array(z.strictObject({
    name: z.string(),
    title: z.string(),
    runs: z.int().positive(),
    machines: z.int().positive(),
    /** Comparisons that some machine decided. */
    comparisons: count,
    /** Of these, those that several kinds of CPU made. */
    on_several_kinds: count,
    /** What kinds of CPU say together; null where no two made a comparison. */
    sentence: z.string().nullable(),
    page: file,
    /** A line for each comparison, with what each machine says of it. */
    data: file,
  })),
  data: z.strictObject({ runs: file, refused: file }),
});

/** See {@link boardIndex}. */
export type BoardIndex = z.infer<typeof boardIndex>;
