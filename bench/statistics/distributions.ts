/** Student's t, the normal and the binomial distribution. */
import { cephes } from "./logarithms.ts";

/**
 * P(T <= t) for Student's t.
 *
 * @param degrees degrees of freedom, a whole number of at least 1
 * @throws RangeError when an argument is out of range
 */
export function studentTCdf(t: number, degrees: number): number {
  checkDegrees(degrees);
  if (Number.isNaN(t)) throw new RangeError("t is not a number");
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0;
  return cephes.stdtr(degrees, t);
}

/**
 * The t with P(T <= t) = probability, for Student's t.
 *
 * @param probability above 0 and below 1
 * @param degrees degrees of freedom, a whole number of at least 1
 * @throws RangeError when an argument is out of range
 */
export function studentTQuantile(probability: number, degrees: number): number {
  checkDegrees(degrees);
  checkOpenProbability(probability);
  const key = `${degrees} ${probability}`;
  const known = QUANTILES.get(key);
  if (known !== undefined) return known;
  if (QUANTILES.size === MOST_QUANTILES) QUANTILES.clear();
  const quantile = cephes.stdtri(degrees, probability);
  QUANTILES.set(key, quantile);
  return quantile;
}

/** Quantiles found so far: found by trying, they take most of the time of a verdict, and a run asks for few different ones. */
const QUANTILES = new Map<string, number>();
const MOST_QUANTILES = 10_000;

/** P(|T| >= |t|) for Student's t, exact in the far tail. Throws as {@link studentTCdf}. */
export function studentTTwoSided(t: number, degrees: number): number {
  return Math.min(1, 2 * studentTCdf(-Math.abs(t), degrees));
}

/** P(Z <= z) for the standard normal distribution. */
export function normalCdf(z: number): number {
  return cephes.ndtr(z);
}

/**
 * P(at most `successes` of `trials`) when each succeeds with the given probability.
 *
 * @throws RangeError when an argument is out of range
 */
export function binomialCdf(successes: number, trials: number, probability: number): number {
  if (!Number.isInteger(trials) || trials < 1) {
    throw new RangeError(`Trials "${trials}" must be a whole number above 0`);
  }
  if (!Number.isInteger(successes)) throw new RangeError(`Successes "${successes}" must be a whole number`);
  checkOpenProbability(probability);
  if (successes < 0) return 0;
  return successes >= trials ? 1 : cephes.bdtr(successes, trials, probability);
}

function checkDegrees(degrees: number): void {
  if (!Number.isInteger(degrees) || degrees < 1) {
    throw new RangeError(`Degrees of freedom "${degrees}" must be a whole number above 0`);
  }
}

function checkOpenProbability(probability: number): void {
  if (!(probability > 0 && probability < 1)) {
    throw new RangeError(`Probability "${probability}" must lie between 0 and 1`);
  }
}
