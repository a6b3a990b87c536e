import { createRandom } from "../basics/random.ts";
import { type LatencyHistogram, percentileUs } from "./latency-histogram.ts";
import { leastForMedianInterval } from "./median.ts";

/** A quantile of all waits of some windows, in µs, and where it may lie. */
interface PooledQuantile {
  readonly us: number;
  readonly low: number;
  readonly high: number;
  /** Nominal level of low to high; null if these are the least and the most of single windows, as too few were made. */
  readonly level: number | null;
}

/** Draws of whole windows, and the seed that makes them the same each time. */
const DRAWS = 1_000, SEED = 1;
const LEVEL = 0.95;

/**
 * Returns a quantile of all requests of some windows: their histograms added up. A median of the windows' own quantiles
 * would hide what most windows do not meet, such as a halt every ten seconds.
 *
 * Requests of one window share what it met, so whole windows are redrawn for the interval (the cluster bootstrap; Davison
 * and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8).
 *
 * @param windows each with a request at least
 * @param share of the requests: 0.99 for p99
 * @throws RangeError without a window
 */
export function pooledQuantile(windows: readonly LatencyHistogram[], share: number): PooledQuantile {
  if (windows.length === 0) throw new RangeError("a pooled quantile needs a window");
  const values = [...new Set(windows.flatMap((one) => one.map(([us]) => us)))].sort((a, b) => a - b);
  const upTo = windows.map((window) => countsUpTo(window, values));
  const us = quantileOf(upTo, values, share);
  if (windows.length < leastForMedianInterval(LEVEL)) {
    const each = windows.map((window) => percentileUs(window, share));
    return { us, low: Math.min(us, ...each), high: Math.max(us, ...each), level: null };
  }
  const random = createRandom(SEED);
  const drawn = Array.from(
    { length: DRAWS },
    () => quantileOf(upTo.map(() => upTo[Math.floor(random() * upTo.length)]!), values, share),
  ).sort((a, b) => a - b);
  const at = (part: number) => drawn[Math.min(DRAWS - 1, Math.floor(part * DRAWS))]!;
  return { us, low: at((1 - LEVEL) / 2), high: at((1 + LEVEL) / 2), level: LEVEL };
}

/** Requests of a window that waited no longer than each of some values. */
function countsUpTo(window: LatencyHistogram, values: readonly number[]): number[] {
  const counts = new Map(window);
  let sum = 0;
  return values.map((us) => sum += counts.get(us) ?? 0);
}

/** The least value that at least a share of all requests did not exceed. */
function quantileOf(windows: readonly (readonly number[])[], values: readonly number[], share: number): number {
  const upTo = (place: number) => windows.reduce((sum, counts) => sum + counts[place]!, 0);
  const rank = Math.max(1, Math.ceil(share * upTo(values.length - 1)));
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (upTo(middle) >= rank) high = middle;
    else low = middle + 1;
  }
  return values[low]!;
}
