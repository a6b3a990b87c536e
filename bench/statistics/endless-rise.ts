import { expm1, log, log1p } from "./logarithms.ts";
import { median } from "./median.ts";
import { studentTCdf } from "./distributions.ts";
import { thresholds } from "./thresholds.ts";
import { mean, standardDeviation, sum } from "./variation.ts";

/** The costs of one server in the order of its life; a step to the window says nothing: other servers share its core. */
export interface Life {
  /** Of equal parts of its warm-up, in which its conditions stay the same. */
  readonly costs: readonly number[];
  /** At the end of its window; null if unknown. */
  readonly window: number | null;
}

/** A cost that rose through all lives of a server, and still rose at their ends. */
interface EndlessRise {
  /** The lives looked at, and those in which it rose by the least that counts. */
  readonly lives: number;
  readonly rising: number;
  /** The median growth over a warm-up as a share: 0.5 means half as dear again. */
  readonly growth: number;
  /** Chance of such steps, or larger ones, if they were noise: one-sided. */
  readonly p: number;
}

/** Steps of a life below which it says nothing of growth. */
const LEAST_STEPS = 2;

/**
 * Finds a cost that grows without end; null if there is none, or fewer lives than a verdict needs rounds.
 *
 * The steps are logarithms of each cost over the one before it. Three things must hold.
 * - The mean step is above zero by Student's t test over the steps of all lives, at `endlessAlpha`. If the machine's speed
 * is a random walk, its steps are independent, and the test is exact. If it swings around a mean, a step up is followed
 * by one down, and the test errs less often. So noise inside lives raises the limit.
 * - At least nine of ten lives rose by `endlessGrowth` from first to last cost, and were not cheaper in their windows. That
 * guards against speeds that change slowly and smoothly, whose steps are not independent: lives of different rounds are.
 * - The later halves of lives still rise, by `steadyChange` in the mean: a cost that has come to rest has a figure.
 *
 * endless-rise.test.ts holds the rate of false alarms by simulation.
 *
 * @param lives of one server, each a fresh process; all costs positive
 */
export function endlessRise(lives: readonly Life[]): EndlessRise | null {
  const known = lives.map((life) => ({ ...life, steps: stepsOf(life.costs) }))
    .filter(({ steps }) => steps.length >= LEAST_STEPS);
  if (known.length < thresholds.leastRounds.value) return null;
  const least = log1p(thresholds.endlessGrowth.value);
  const rising = known.filter(({ steps, costs, window }) =>
    sum(steps) >= least && (window === null || log(window / costs[0]!) >= least)
  );
  if (rising.length < 0.9 * known.length) return null;
  const late = mean(known.map(({ steps }) => sum(steps.slice(Math.floor(steps.length / 2)))));
  if (late < log1p(thresholds.steadyChange.value)) return null;
  const p = chanceOf(known.flatMap(({ steps }) => steps));
  if (p >= thresholds.endlessAlpha.value) return null;
  return {
    lives: known.length,
    rising: rising.length,
    growth: expm1(median(known.map(({ steps }) => sum(steps)))),
    p,
  };
}

const stepsOf = (costs: readonly number[]): number[] =>
  costs.slice(1).map((cost, n) => log(cost / costs[n]!)).filter(Number.isFinite);

/** P of a mean step at least as large, one-sided, if steps are independent with mean zero. */
function chanceOf(steps: readonly number[]): number {
  const error = standardDeviation(steps) / Math.sqrt(steps.length);
  return error === 0 ? 0 : studentTCdf(-mean(steps) / error, steps.length - 1);
}
