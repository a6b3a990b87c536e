import { medianInterval } from "../bench/statistics/median.ts";
import { counted } from "../bench/basics/units.ts";
import type { Measurement } from "../bench/self/measurements.ts";

/** What changes nothing is so near to 1. */
const SAME = { least: 0.98, most: 1.02 };

/**
 * Pairs of what should be the same, as logarithms of one over the other: their median and its exact interval.
 *
 * Not their mean: a shared machine has two speeds, as the other half of a core is taken or not (1.65 × apart on one, for
 * a second or two), and a pair across such a change says nothing of what is compared. The median passes over such pairs
 * while they are few and as often the one way as the other, which taking turns sees to.
 */
export function overPairs(part: string, name: string, logs: readonly number[]): Measurement {
  const head = { part, name, goal: SAME };
  const found = medianInterval(logs);
  if (found.kind === "none") return { ...head, ratio: null, note: "no pairs" };
  const pairs = counted(logs.length, "pair");
  const note = found.kind === "unbounded"
    ? `${pairs}: ${found.reason}`
    : `median of ${pairs}, 95 % interval ${Math.exp(found.low).toFixed(3)} to ${Math.exp(found.high).toFixed(3)}`;
  return { ...head, ratio: Math.exp(found.median), note };
}
