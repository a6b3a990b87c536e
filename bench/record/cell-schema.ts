import { z } from "zod";
import { BOUNDS, list, longText, word } from "./bounds.ts";

const value = z.union([word, z.number()]);

/** Refuses names of properties that every object has, since a point would seem to have a value for them. */
const axisName = word.refine((name) => !(name in {}), "is a name that every object has");

/** A value for each of some axes, by the axis's name. */
export const atSchema = z.record(axisName, value);

/** A point as results name it. */
export const pointSchema = z.strictObject({ suite: word, at: atSchema });

/** A point under a label: each figure belongs to one. Labels distinguish treatments of one point. */
export type Cell = z.infer<typeof cellSchema>;
export const cellSchema = z.strictObject({
  point: pointSchema,
  /** `main`; `aa` for an A/A twin; or a name given with --label or --against. */
  label: word,
});

/** An axis as a plan keeps it: reports name, order and draw values by this alone, and never read a name back. */
export type PlanAxis = z.infer<typeof planAxisSchema>;
export const planAxisSchema = z.strictObject({
  name: axisName,
  title: word,
  role: z.enum(["contrast", "condition", "scale"]),
  unit: word.nullable(),
  option: word,
  /** False for a condition that has its one default value in the whole plan: names leave it out. */
  shown: z.boolean(),
  /** The value of runs without this axis; absent in plans of earlier versions. */
  default: value.optional(),
  /** Values of this plan in the order of tables, each with its text and facts. */
  values: list(z.strictObject({ value, text: word, facts: z.record(word, longText) }), BOUNDS.values),
});
