import type { Reading } from "../../record/samples.ts";

/** The reading of a moment that was not sampled. */
export const MISSING: { readonly unreadable: string } = { unreadable: "the load ended before it could be sampled" };

/** Makes figures of readings. One that cannot be made is null, and why is noted under its name. */
export interface Readings {
  readonly unreadable: Record<string, string>;
  /** A figure from readings that must all be there. */
  figure<A, T>(name: string, inputs: readonly Reading<A>[], compute: (values: A[]) => T): T | null;
  growth(name: string, from: Reading<number>, to: Reading<number>): number | null;
  /** Notes a figure that was sampled but that this system does not report. */
  reported<T>(name: string, value: T | null): T | null;
}

/** Nothing is noted yet. */
export function newReadings(): Readings {
  const unreadable: Record<string, string> = {};
  const figure: Readings["figure"] = (name, inputs, compute) => {
    const values = [];
    for (const input of inputs) {
      if ("unreadable" in input) {
        unreadable[name] = input.unreadable;
        return null;
      }
      values.push(input.value);
    }
    return compute(values);
  };
  return {
    unreadable,
    figure,
    growth: (name, from, to) => figure(name, [from, to], ([a, b]) => b! - a!),
    reported(name, value) {
      if (value === null) unreadable[name] ??= "this system does not tell it";
      return value;
    },
  };
}
