import { medianInterval } from "../bench/statistics/median.ts";
import { counted } from "../bench/basics/units.ts";
import type { Measurement } from "../bench/self/measurements.ts";

/** What changes nothing is so near to 1. */
const SAME = { least: 0.98, most: 1.02 };

/**
 * The median, with its exact interval, of pairs that should be the same, given as logarithms of one over the other.
 *
 * A shared machine has two speeds, as the other half of a core is taken or not. A pair across such a change says nothing,
 * and would move a mean. The median passes over them while they are few and go both ways, which taking turns sees to.
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
