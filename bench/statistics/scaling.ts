import { type Lack, lack } from "./lacks.ts";
import { log } from "./logarithms.ts";
import { type Interval, sampleOf, tInterval } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";
import { mean } from "./variation.ts";

/** Requests per second at one place on a scale, in one round. */
export interface ScalePoint {
  /** Above 0: the value of the scale's axis. */
  readonly value: number;
  /** Requests per second; `null` where the round has no valid observation. */
  readonly rps: number | null;
}

/** The exponent k of req/s ~ value^k: 0 does not depend on the value, -1 halves when the value doubles. */
export type ScalingEstimate =
  | {
    readonly kind: "estimated";
    readonly exponent: number;
    readonly interval: Interval;
    /** Rounds with a rate at every value. */
    readonly n: number;
    readonly values: readonly number[];
  }
  | { readonly kind: "unknown"; readonly lack: Lack };

/**
 * Estimates how req/s scales along an axis: in each round the least-squares slope of log(req/s) on log(value), over the
 * rounds the mean of the slopes with a t interval. Slopes of rounds are independent where the points of one line are
 * not, and drift common to a round cancels. A round that misses a value is left out: its slope would weigh the values
 * differently.
 *
 * @param rounds the points of each round
 * @param level confidence of the interval, e.g. 0.95
 */
export function estimateScaling(rounds: readonly (readonly ScalePoint[])[], level: number): ScalingEstimate {
  const values = [...new Set(rounds.flatMap((points) => points.map(({ value }) => value)))].sort((a, b) => a - b);
  const wrong = rounds.flat().find(({ value, rps }) =>
    !(value > 0) || (rps !== null && !(rps > 0 && Number.isFinite(rps)))
  );
  if (wrong !== undefined) return unknown(lack("rate-not-positive", wrong));
  if (!spansEnough(values)) {
    return unknown(lack("span-short", { least: thresholds.leastScalingSpan.value }));
  }

  const slopes = rounds.map((points) => slopeOf(points, values)).filter((slope) => slope !== null);
  if (slopes.length < 2) return unknown(lack("too-few-complete", { n: slopes.length }));
  const sample = sampleOf(slopes);
  return { kind: "estimated", exponent: sample.mean, interval: tInterval(sample, level), n: sample.n, values };
}

/** True if values of an axis are far enough apart to separate two laws. */
export function spansEnough(values: readonly number[]): boolean {
  return Math.max(...values) / Math.min(...values) >= thresholds.leastScalingSpan.value;
}

/**
 * A promised law and the exponents a server that keeps it may show. A server spends a fixed time on each request besides,
 * so the ranges of laws overlap: over HTTP, O(1) and O(log n) can seldom be told apart, and no check here pretends so.
 */
export interface ScalingRule {
  /** `O(log n)`. */
  readonly law: string;
  readonly least: number;
  readonly greatest: number;
}

/** The result of comparing measured scaling with the promised law. */
type ScalingCheck =
  | { readonly kind: "fits" | "does-not-fit" }
  | { readonly kind: "unknown"; readonly lack: Lack };

/**
 * Holds an estimate against a promised law: `fits` when the whole interval lies in the rule's range, `does-not-fit` when
 * it lies wholly outside, else `unknown`.
 */
export function scalingCheck({ law, least, greatest }: ScalingRule, estimate: ScalingEstimate): ScalingCheck {
  if (estimate.kind === "unknown") return estimate;
  const { low, high } = estimate.interval;
  if (low >= least && high <= greatest) return { kind: "fits" };
  if (high < least || low > greatest) return { kind: "does-not-fit" };
  return unknown(lack("across-edge", { law }));
}

function slopeOf(points: readonly ScalePoint[], values: readonly number[]): number | null {
  const rpsAt = new Map(points.map(({ value, rps }) => [value, rps]));
  const line: { x: number; y: number }[] = [];
  for (const value of values) {
    const rps = rpsAt.get(value) ?? null;
    if (rps === null) return null;
    line.push({ x: log(value), y: log(rps) });
  }
  const centre = mean(line.map(({ x }) => x));
  const products = line.reduce((sum, { x, y }) => sum + (x - centre) * y, 0);
  return products / line.reduce((sum, { x }) => sum + (x - centre) ** 2, 0);
}

const unknown = (lack: Lack) => ({ kind: "unknown", lack }) as const;
