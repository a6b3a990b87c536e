import { z } from "zod";
import { longText } from "./bounds.ts";
import { type MarkCode, MARKS } from "./mark.ts";

interface BoundRow {
  /** The part, as the subject of a sentence. */
  readonly text: string;
  /** The sign before a rate that is a lower bound. */
  readonly sign: "" | "≥ ";
  /** True if the rate is the server's own limit. */
  readonly own: boolean;
  /** The severity on a cell; null for the bound that is wanted. */
  readonly level: "warn" | "note" | null;
  /** The words for a number of cells that have it: `neither in 3`. None where a mark names these cells. */
  readonly counted?: string;
}

const lower = (text: string): BoundRow => ({ text, sign: "≥ ", own: false, level: "warn" });
const unclear = (text: string, counted: string): BoundRow => ({ text, sign: "", own: false, level: "note", counted });

/** The row of each bound. Of two that are equally frequent in a cell the first one, which says less for the server, is its bound. */
export const BOUND = {
  generator: lower("the load generator"),
  service: lower("a service beside the server"),
  unknown: unclear("something that could not be read", "not known"),
  network: lower("the network between the hosts"),
  neither: unclear("neither server nor load generator", "neither"),
  disk: { text: "its disk", sign: "", own: true, level: "note", counted: "its disk" },
  server: { text: "the server", sign: "", own: true, level: null, counted: "the server was the limit" },
} satisfies Record<string, BoundRow>;

/** The part that limited a load. */
export type Bound = keyof typeof BOUND;

/** All bounds, the one that says least for the server first. */
export const ALL_BOUNDS = Object.keys(BOUND) as [Bound, ...Bound[]];

export const boundSchema = z.enum(ALL_BOUNDS);

/** Something that is wrong: a code for programs, its effect on figures, its place, and a sentence for people. */
export type Mark = z.infer<typeof markSchema>;
export const markSchema = z.strictObject({
  code: z.enum(Object.keys(MARKS) as [MarkCode, ...MarkCode[]]),
  effect: z.enum(["note", "withholds", "voids"]),
  text: longText,
  /** Name of the marked cell; absent if the mark is listed with its cell, or concerns several. */
  cell: longText.optional(),
}).refine(({ code, effect }) => MARKS[code].effect === effect, "its effect is not that of its code");
