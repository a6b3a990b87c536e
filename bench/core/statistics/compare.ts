import { studentTTwoSided } from "./distributions.ts";
import { type Interval, type Sample, sampleOf, standardError, tInterval } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";

/** The values of two cells in one round, in one unit; `null` where a round has no valid one. */
export interface RoundPair {
  readonly round: number;
  readonly a: number | null;
  readonly b: number | null;
}

/** Whether more is better (req/s) or less is (CPU ns per request). */
export type Better = "higher" | "lower";

/** Two cells compared: `ratio` says how many times as fast as b is a. */
export interface MeasuredComparison {
  readonly kind: "measured";
  /** Rounds in which both cells have a value. */
  readonly n: number;
  /** Speed of a over speed of b: geometric mean over rounds. Above 1, a is faster. */
  readonly ratio: number;
  /** t interval of the ratio. */
  readonly interval: Interval;
  /** Two-sided p of the paired t test against a ratio of exactly 1. */
  readonly p: number;
  /** Natural logarithms of the per-round ratios, summarised. */
  readonly logRatio: Sample;
}

/** Two cells that could not be compared, and why. */
export interface UnmeasuredComparison {
  readonly kind: "unmeasured";
  readonly n: number;
  readonly cause: "too-few-rounds" | "value-not-positive" | "no-spread";
  readonly reason: string;
}

export type Comparison = MeasuredComparison | UnmeasuredComparison;

/**
 * Compares two cells by the ratios of their values within each round.
 *
 * What is common to a round (a drifting clock, a busy neighbour) cancels in the ratio. Logarithms make faster and
 * slower symmetric; their mean gets a t interval, as rounds are independent and a mean of logs of averages over
 * thousands of requests is near normal. The ratio is thus a geometric mean (Fleming and Wallace, CACM 29/3, 1986).
 *
 * @param level confidence of the interval, e.g. 0.95
 * @throws RangeError when a round comes twice or the level is out of range
 */
export function compare(pairs: readonly RoundPair[], better: Better, level: number): Comparison {
  checkRounds(pairs);
  const complete = pairs.flatMap(({ round, a, b }) => a === null || b === null ? [] : [{ round, a, b }]);
  const n = complete.length;
  const unmeasured = (cause: UnmeasuredComparison["cause"], reason: string): UnmeasuredComparison => ({
    kind: "unmeasured",
    n,
    cause,
    reason,
  });

  const wrong = complete.find(({ a, b }) => !isPositive(a) || !isPositive(b));
  if (wrong !== undefined) {
    const value = isPositive(wrong.a) ? wrong.b : wrong.a;
    return unmeasured("value-not-positive", `round ${wrong.round} has the value "${value}", which is not positive`);
  }
  if (n < 2) return unmeasured("too-few-rounds", `${n} of the two rounds a comparison needs`);

  const logRatio = sampleOf(complete.map(({ a, b }) => Math.log(better === "higher" ? a / b : b / a)));
  if (logRatio.sd < thresholds.leastSpread.value) {
    return unmeasured("no-spread", "every round gave the same ratio: the values look copied, not measured");
  }
  const t = logRatio.mean / standardError(logRatio);
  return {
    kind: "measured",
    n,
    ratio: Math.exp(logRatio.mean),
    interval: ratioInterval(logRatio, level),
    p: studentTTwoSided(t, n - 1),
    logRatio,
  };
}

/**
 * Compares two cells measured in different runs, where no round of one belongs to a round of the other: Welch's t test on
 * the logarithms (Welch, Biometrika 34, 1947). `logRatio` is the difference of means as a sample with the standard
 * error and degrees of freedom of that test, so intervals and margins are read from it as from a paired one.
 *
 * What changed between the runs does not cancel here; the caller must allow for it in the margin.
 */
export function compareUnpaired(
  a: readonly number[],
  b: readonly number[],
  better: Better,
  level: number,
): Comparison {
  const n = Math.min(a.length, b.length);
  const unmeasured = (cause: UnmeasuredComparison["cause"], reason: string): UnmeasuredComparison => ({
    kind: "unmeasured",
    n,
    cause,
    reason,
  });
  const wrong = [...a, ...b].find((value) => !isPositive(value));
  if (wrong !== undefined) return unmeasured("value-not-positive", `a value is "${wrong}", which is not positive`);
  if (n < 2) return unmeasured("too-few-rounds", `${n} of the two rounds a comparison needs`);
  const [of, to] = [sampleOf(a.map(Math.log)), sampleOf(b.map(Math.log))];
  const [va, vb] = [of.sd ** 2 / of.n, to.sd ** 2 / to.n];
  const error = Math.sqrt(va + vb);
  if (error < thresholds.leastSpread.value) return unmeasured("no-spread", "the values look copied, not measured");
  // Rounded down, as tables of t are read: a little wider, never narrower.
  const degrees = Math.max(1, Math.floor((va + vb) ** 2 / (va ** 2 / (of.n - 1) + vb ** 2 / (to.n - 1)) + 1e-9));
  const difference = (of.mean - to.mean) * (better === "higher" ? 1 : -1);
  const logRatio = { n: degrees + 1, mean: difference, sd: error * Math.sqrt(degrees + 1) };
  return {
    kind: "measured",
    n,
    ratio: Math.exp(difference),
    interval: ratioInterval(logRatio, level),
    p: studentTTwoSided(difference / error, degrees),
    logRatio,
  };
}

/**
 * The t interval of a mean log ratio, as ratios.
 *
 * @throws RangeError when the level is out of range
 */
export function ratioInterval(logRatio: Sample, level: number): Interval {
  const { low, high } = tInterval(logRatio, level);
  return { low: Math.exp(low), high: Math.exp(high), level };
}

function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}

function checkRounds(pairs: readonly RoundPair[]): void {
  const seen = new Set<number>();
  for (const { round } of pairs) {
    if (seen.has(round)) throw new RangeError(`Round "${round}" comes twice`);
    seen.add(round);
  }
}
