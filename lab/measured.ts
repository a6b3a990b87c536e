import type { Measurement } from "./self/measurements.ts";

/** Makes the figures of one part; see {@link Measurement} for what each of them says. */
export const measured =
  (part: string) => (name: string, ratio: number | null, goal: Measurement["goal"], note: string): Measurement => ({
    part,
    name,
    ratio,
    goal,
    note,
  });
