import { type Interval, sampleOf, tInterval } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";
import { mean } from "./variation.ts";

/** Requests per second of one runtime and store at one size, in one round. */
export interface SizePoint {
  /** Number of users. */
  readonly size: number;
  /** Requests per second; `null` where the round has no valid trial. */
  readonly rps: number | null;
}

/** The exponent k of req/s ~ size^k: 0 does not depend on size, -1 halves when the size doubles. */
export type ScalingEstimate =
  | {
    readonly kind: "estimated";
    readonly exponent: number;
    readonly interval: Interval;
    /** Rounds with a value at every size. */
    readonly n: number;
    readonly sizes: readonly number[];
  }
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * Estimates how req/s scales with size: in each round the least-squares slope of log(req/s) on log(size), over the
 * rounds the mean of the slopes with a t interval. Slopes of rounds are independent where the points of one line are
 * not, and drift common to a round cancels. A round that misses a size is left out: its slope would weigh the sizes
 * differently.
 *
 * @param rounds the points of each round
 * @param level confidence of the interval, e.g. 0.95
 */
export function estimateScaling(rounds: readonly (readonly SizePoint[])[], level: number): ScalingEstimate {
  const sizes = [...new Set(rounds.flatMap((points) => points.map(({ size }) => size)))].sort((a, b) => a - b);
  const [least, greatest] = [sizes[0] ?? 1, sizes.at(-1) ?? 1];
  const wrong = rounds.flat().find(({ size, rps }) =>
    !(size > 0) || (rps !== null && !(rps > 0 && Number.isFinite(rps)))
  );
  if (wrong !== undefined) return unknown(`size "${wrong.size}" has "${wrong.rps}" req/s; both must be positive`);
  const span = thresholds.leastScalingSpan.value;
  if (greatest / least < span) return unknown(`sizes must span a factor of ${span} to tell one law from another`);

  const slopes = rounds.map((points) => slopeOf(points, sizes)).filter((slope) => slope !== null);
  if (slopes.length < 2) return unknown(`${slopes.length} of the two rounds needed have a value at every size`);
  const sample = sampleOf(slopes);
  return { kind: "estimated", exponent: sample.mean, interval: tInterval(sample, level), n: sample.n, sizes };
}

/** A declared complexity and the exponents a server that keeps it may show. */
export interface ScalingRule {
  readonly least: number;
  readonly greatest: number;
  readonly why: string;
}

/**
 * The exponents that fit a declared complexity of one lookup, seen through a server that spends a fixed time on each
 * request besides. They overlap: over HTTP, O(1) and O(log n) can seldom be told apart, and no check here pretends so.
 */
export const scalingRules: Readonly<Record<string, ScalingRule>> = {
  "O(1)": {
    least: -0.1,
    greatest: 0.05,
    why: "0 in theory; a larger set misses more caches, so up to a fifth of the speed may go with each factor of 10",
  },
  "O(log n)": {
    least: -0.2,
    greatest: 0.05,
    why: "-0.09 between 10 000 and 1 000 000 if the lookup were all; fixed costs bring it to 0, cache misses double it",
  },
  "O(n)": {
    least: -1.2,
    greatest: -0.5,
    why:
      "-1 in theory; -0.5 when the fixed cost is ten times the scan at 10 000; steeper when the set outgrows a cache",
  },
};

/** Whether measured scaling agrees with the declared complexity. */
export type ScalingCheck =
  | { readonly kind: "fits" | "does-not-fit"; readonly rule: ScalingRule }
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * Holds an estimate against a declared complexity: `fits` when the whole interval lies in the rule's range,
 * `does-not-fit` when it lies wholly outside, else `unknown`.
 *
 * @param complexity as declared by the store, e.g. "O(log n)"
 */
export function scalingCheck(complexity: string, estimate: ScalingEstimate): ScalingCheck {
  const rule = Object.hasOwn(scalingRules, complexity) ? scalingRules[complexity] : undefined;
  if (rule === undefined) return unknown(`no rule for the complexity "${complexity}"`);
  if (estimate.kind === "unknown") return estimate;
  const { low, high } = estimate.interval;
  if (low >= rule.least && high <= rule.greatest) return { kind: "fits", rule };
  if (high < rule.least || low > rule.greatest) return { kind: "does-not-fit", rule };
  return unknown(`the interval of the exponent reaches across the edge of ${complexity}: more rounds would tell`);
}

function slopeOf(points: readonly SizePoint[], sizes: readonly number[]): number | null {
  const rpsAt = new Map(points.map(({ size, rps }) => [size, rps]));
  const line: { x: number; y: number }[] = [];
  for (const size of sizes) {
    const rps = rpsAt.get(size) ?? null;
    if (rps === null) return null;
    line.push({ x: Math.log(size), y: Math.log(rps) });
  }
  const centre = mean(line.map(({ x }) => x));
  const products = line.reduce((sum, { x, y }) => sum + (x - centre) * y, 0);
  return products / line.reduce((sum, { x }) => sum + (x - centre) ** 2, 0);
}

function unknown(reason: string): { kind: "unknown"; reason: string } {
  return { kind: "unknown", reason };
}
