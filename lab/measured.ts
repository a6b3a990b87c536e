import { median } from "../bench/statistics/median.ts";
import type { Measurement } from "../bench/engine/self/measurements.ts";

/** Makes the figures of one part; see {@link Measurement} for what each of them says. */
export const measured =
  (part: string) => (name: string, ratio: number | null, goal: Measurement["goal"], note: string): Measurement => ({
    part,
    name,
    ratio,
    goal,
    note,
  });

/** The median of some values; null of none. */
export const middle = (values: readonly number[]): number | null => values.length === 0 ? null : median(values);
