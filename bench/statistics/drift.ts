import { exp, expm1, log } from "./logarithms.ts";
import { median } from "./median.ts";
import { thresholds } from "./thresholds.ts";
import { scoreP, scoreVariance, tieSizes } from "./trend.ts";
import { mean, sum } from "./variation.ts";

/** A value at a moment, in any unit of time. */
interface TimedValue {
  readonly at: number;
  readonly value: number;
}

/** How values of many weeks changed. Places are among the values. */
export type Drift =
  | { readonly kind: "unknown"; readonly n: number; readonly least: number }
  | { readonly kind: "none"; readonly n: number; readonly p: number }
  | {
    readonly kind: "drift";
    readonly n: number;
    readonly p: number;
    /** The last value before it began to change. */
    readonly since: number;
    /** Change a unit of time as a share, and its interval at 95 %. */
    readonly slope: number;
    readonly low: number;
    readonly high: number;
    /** Change from then until the last value, as a share. */
    readonly change: number;
    /** The step that fits as well; null if none does. */
    readonly orStep: { readonly at: number; readonly change: number } | null;
  }
  | {
    readonly kind: "step";
    readonly n: number;
    readonly p: number;
    /** The first value after it. */
    readonly at: number;
    readonly change: number;
  };

/** Values at each end that a beginning needs, and a step. */
const LEAST_AT_END = 4;
const Z_95 = 1.959964;
/** Twice the logarithm of the likelihoods' ratio from which one of two shapes is told: e² to one. */
const CLEARLY = 4;
/** The same for a shape against a straight line, whose beginning was searched for among moods: e^12 to one. */
const BEYOND_MOODS = 24;

/**
 * Finds a drift or a step in positive values over time, in their order.
 *
 * Test: Mann-Kendall (Mann, Econometrica 13, 1945) on the values, its variance raised where values near each other are
 * alike, as those of a machine in one mood are (Hamed and Rao, J. Hydrology 204, 1998). Shape: the logarithms are fitted
 * as flat and then a line (Hinkley, Biometrika 56, 1969), and as two levels, by least squares; both have as many parameters,
 * so their errors are compared. Slope: Theil-Sen over the values since then, with Sen's interval (JASA 63, 1968).
 *
 * A series is looked at again after each value, so its level is `driftAlpha`; drift.test.ts holds how often that errs.
 */
export function driftOf(values: readonly TimedValue[]): Drift {
  const n = values.length;
  const least = thresholds.leastForDrift.value;
  if (n < least) return { kind: "unknown", n, least };
  const y = values.map(({ value }) => log(value)), x = values.map(({ at }) => at);
  const places = x.map((_, at) => at).slice(0, 1 - LEAST_AT_END);
  const since = (at: number) => fitted(at, x.map((one) => Math.max(0, one - x[at]!)), y);
  const hinge = leastError(places.map(since));
  const step = leastError(places.slice(LEAST_AT_END).map((at) => fitted(at, x.map((_, n) => n < at ? 0 : 1), y)));
  const score = sum(y.map((late, n) => sum(y.slice(0, n).map((early) => Math.sign(late - early)))));
  const line = since(0);
  const better = n * (log(hinge.error) - log(step.error));
  const best = better > CLEARLY ? step : hinge;
  // A clear shape is no mood of the machine; a shape that is not may be one.
  const isShape = n * (log(line.error) - log(best.error)) > BEYOND_MOODS;
  const alike = alikeness((isShape ? best : line).residuals);
  const p = scoreP(score, alike * scoreVariance(n, tieSizes(y)));
  if (p >= thresholds.driftAlpha.value || Math.abs(best.change) < thresholds.trendChange.value) {
    return { kind: "none", n, p };
  }
  const stepped = { at: step.at, change: expm1(step.change) };
  if (best === step) return { kind: "step", n, p, ...stepped };
  const slopes = slopesOf(x.slice(hinge.at), y.slice(hinge.at));
  const wide = Z_95 * Math.sqrt(alike * scoreVariance(n - hinge.at, []));
  const slopeAt = (sign: number) => {
    const place = Math.round((slopes.length - 1 + sign * wide) / 2);
    return expm1(slopes[Math.min(slopes.length - 1, Math.max(0, place))]!);
  };
  const slope = median(slopes);
  return {
    kind: "drift",
    ...{ n, p, since: hinge.at, slope: expm1(slope), low: slopeAt(-1), high: slopeAt(1) },
    change: expm1(slope * (x.at(-1)! - x[hinge.at]!)),
    orStep: better > -CLEARLY ? stepped : null,
  };
}

/** A fit of a level and one regressor by least squares, which begins to change at a place. */
interface Fit {
  readonly at: number;
  /** From the first value to the last. */
  readonly change: number;
  readonly residuals: readonly number[];
  readonly error: number;
}

function fitted(at: number, u: readonly number[], y: readonly number[]): Fit {
  const [u0, y0] = [mean(u), mean(y)];
  const spread = sum(u.map((one) => (one - u0) ** 2));
  const slope = spread === 0 ? 0 : sum(u.map((one, n) => (one - u0) * (y[n]! - y0))) / spread;
  const residuals = y.map((one, n) => one - y0 - slope * (u[n]! - u0));
  return { at, change: slope * u.at(-1)!, residuals, error: sum(residuals.map((one) => one ** 2)) };
}

const leastError = (fits: readonly Fit[]): Fit => fits.reduce((a, b) => b.error < a.error ? b : a);

/** All slopes between two values, in order. */
function slopesOf(x: readonly number[], y: readonly number[]): number[] {
  const slopes = x.flatMap((late, n) =>
    x.slice(0, n).flatMap((early, m) => late > early ? [(y[n]! - y[m]!) / (late - early)] : [])
  );
  return slopes.length === 0 ? [0] : slopes.sort((a, b) => a - b);
}

/**
 * Hamed and Rao's factor of the score's variance, by the ranks of residuals; 1 at least. It sums lags up to the first
 * that are not alike (Geyer, Statistical Science 7, 1992): leaving out those that may be chance errs too often.
 */
function alikeness(residuals: readonly number[]): number {
  const n = residuals.length;
  const order = residuals.map((_, at) => at).sort((a, b) => residuals[a]! - residuals[b]!);
  const ranks = new Array<number>(n);
  order.forEach((at, rank) => ranks[at] = rank - (n - 1) / 2);
  const whole = sum(ranks.map((rank) => rank ** 2));
  let raised = 0;
  for (let k = 1; k < n - 2; k++) {
    const alike = sum(ranks.slice(k).map((rank, at) => rank * ranks[at]!)) / whole;
    if (alike <= 0) break;
    raised += (n - k) * (n - k - 1) * (n - k - 2) * alike;
  }
  return 1 + 2 * raised / (n * (n - 1) * (n - 2));
}

/** The sum of changes, each with the interval of its ratio at 95 %, as one change with its interval. */
export function chainedChange(
  ratios: readonly { readonly ratio: number; readonly low: number; readonly high: number }[],
) {
  const whole = sum(ratios.map(({ ratio }) => log(ratio)));
  const error = Math.sqrt(sum(ratios.map(({ low, high }) => ((log(high) - log(low)) / 2) ** 2)));
  return { change: expm1(whole), low: exp(whole - error) - 1, high: exp(whole + error) - 1 };
}
