import { estimateOf, ratioInterval } from "../core/statistics/estimate.ts";
import { sampleOf } from "../core/statistics/t-interval.ts";
import { counted } from "../core/units.ts";
import type { Measurement } from "./measurements.ts";

/** What changes nothing is so near to 1. */
const SAME = { least: 0.98, most: 1.02 };

/** Pairs of what should be the same, as logarithms of one over the other: their geometric mean and its interval. */
export function overPairs(part: string, name: string, logs: readonly number[]): Measurement {
  const head = { part, name, goal: SAME };
  if (logs.length < 2) return { ...head, ratio: null, note: `${logs.length} of the two pairs an interval needs` };
  const estimate = estimateOf(sampleOf(logs));
  const { low, high } = ratioInterval(estimate, 0.95);
  const note = `${counted(logs.length, "pair")}, 95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
  return { ...head, ratio: Math.exp(estimate.mean), note };
}
