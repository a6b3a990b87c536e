/** One test's place in Holm's procedure. */
export interface HolmStep {
  /** The p as given. */
  readonly p: number;
  /** Holm-adjusted p: below alpha exactly when rejected at a familywise error rate of alpha. */
  readonly adjustedP: number;
  readonly rejected: boolean;
  /**
   * The alpha this p was held against: alpha / (tests not yet rejected). `rejected` is exactly `p < stepAlpha`, so an
   * interval of confidence 1 - stepAlpha tells the same as the test.
   */
  readonly stepAlpha: number;
}

/**
 * Holm's step-down procedure (Holm, Scandinavian Journal of Statistics 6, 1979) over a family of p values: the chance of
 * any false rejection stays below alpha however the tests depend on each other. Steps come in the order of the input.
 *
 * @param alpha familywise error rate, e.g. 0.05
 * @throws RangeError when a p or alpha is out of range
 */
export function holm(ps: readonly number[], alpha: number): HolmStep[] {
  for (const p of ps) if (!(p >= 0 && p <= 1)) throw new RangeError(`p "${p}" must lie between 0 and 1`);
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`Alpha "${alpha}" must lie between 0 and 1`);

  const steps = new Array<HolmStep>(ps.length);
  const ascending = ps.map((_, index) => index).sort((a, b) => ps[a]! - ps[b]!);
  let adjustedP = 0;
  let rejections = 0;
  ascending.forEach((index, rank) => {
    const p = ps[index]!;
    adjustedP = Math.min(1, Math.max(adjustedP, (ps.length - rank) * p));
    // Once a test fails, alpha over the tests left stays put, and no later, greater p can pass it.
    const stepAlpha = alpha / (ps.length - rejections);
    const rejected = p < stepAlpha;
    if (rejected) rejections++;
    steps[index] = { p, adjustedP, rejected, stepAlpha };
  });
  return steps;
}
