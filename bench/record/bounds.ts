/** Upper bounds on what a record may hold: without them a few kilobytes could cost hours. Real runs are far below. */
import { z } from "zod";
import { RANGES } from "./ranges.ts";

/** The limits: of lists in entries, of texts in characters. */
export const BOUNDS = {
  /** Length of a name, a value or a unit; names of cells are repeated in each comparison. */
  word: 1_000,
  text: 100_000,
  /** Length of a body, or of a command line that contains one. */
  body: 8 * 2 ** 20,
  items: 100_000,
  axes: 32,
  values: 1_000,
  cells: 5_000,
  members: 64,
  /** Steps of a plan with spare rounds; one with several servers counts once for each. At four seconds each five days. */
  steps: 100_000,
  /** Values of all lines of a journal: ten times those of the largest reference run, in a quarter of a GiB. */
  journalValues: 10_000_000,
  comparisons: 50_000,
  expectations: 2_000,
  windows: 1_000,
  /** Different latencies of a histogram with three digits, slots of a load, slices of a warm-up, readings of a size. */
  samples: 20_000,
  /** Length of anything that lasts, in milliseconds: a day. */
  ms: 86_400_000,
  threads: 65_536,
  connections: 1_000_000,
} as const;

/** A name, a value, a unit or another short text. */
export const word = z.string().max(BOUNDS.word);
/** Any other text. */
export const longText = z.string().max(BOUNDS.text);
/** A body, or words of a command line that may have one. */
export const bodyText = z.string().max(BOUNDS.body);

/** Seed of the order of steps, and of drawn requests. */
export const seed = z.int().min(RANGES.seed[0]).max(RANGES.seed[1]);

/** Rounds of a plan, or of a part of it. */
export const rounds = z.int().min(RANGES.rounds[0]).max(RANGES.rounds[1]);

/** A planned duration in milliseconds. */
export const lastsMs = z.int().positive().max(BOUNDS.ms);

/** A list with a limited number of items. */
export const list = <T extends z.ZodType>(item: T, most: number = BOUNDS.items) => z.array(item).max(most);
