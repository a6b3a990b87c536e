/** One line of a history of gates: what the gate of one commit found. */
import { z } from "zod";
import { list, longText, word } from "./bounds.ts";

const cost = z.number().positive().nullable();

/** One line of the history. Costs are CPU time per request in ns; a ratio is that of the commit over that of its base. */
export type Gated = z.infer<typeof gatedSchema>;
export const gatedSchema = z.strictObject({
  schema: z.literal("levelfield.gated/1"),
  commit: word,
  /** When it was committed. */
  at: z.iso.datetime({ offset: true }),
  base_commit: word,
  module: longText,
  run: word,
  cpu_kind: word,
  runtimes: list(z.strictObject({ name: word, version: word })),
  outcome: z.enum(["regression", "no-regression", "not-proven"]),
  places: list(z.strictObject({
    title: longText,
    base_ns: cost,
    yours_ns: cost,
    ratio: cost,
    interval: z.tuple([z.number().positive(), z.number().positive()]).nullable(),
  })),
});

/** System calls and writes of a server for each request: counts, which need no clock. */
export interface CountedLook {
  /** System calls by name; null if nobody could count them. */
  readonly calls: Readonly<Record<string, number>> | null;
  /** Bytes that went to a disk; null if the system does not report them. */
  readonly written_bytes: number | null;
}
