import { mean } from "./variation.ts";

/** Costs of a round of some servers, and the variances of their figures. */
export interface RoundCosts {
  /** Milliseconds of a round outside its windows: starts, checks, warm-ups. */
  readonly fixedMs: number;
  /** Milliseconds that a round takes longer for each counted millisecond of a server. */
  readonly perCountedMs: number;
  /** Variance of a server's log cost over a window of one counted millisecond; of n milliseconds it is an n-th. */
  readonly within: number;
  /** Variance of a server's log cost from round to round in addition to that. */
  readonly between: number;
}

/** The rounds that may follow, and the time for them. */
export interface RoundsAhead {
  readonly leftMs: number;
  /** Milliseconds beyond that in which a last round with the shortest windows may end. */
  readonly lateMs: number;
  /** Counted milliseconds of a server in each round that was made. */
  readonly made: readonly number[];
  /** Least and most total rounds. */
  readonly rounds: readonly [least: number, most: number];
  /** Least and most counted milliseconds of a server in a round. */
  readonly countedMs: readonly [least: number, most: number];
  /** Half an interval after so many rounds, in standard errors: few rounds have few degrees of freedom. */
  readonly reach: (rounds: number) => number;
}

/** Total rounds, and the counted time of a server in each later one. */
export interface Allocation {
  readonly rounds: number;
  readonly countedMs: number;
}

/**
 * Spreads time over rounds and the windows inside them so that intervals become as narrow as the time allows.
 *
 * With rounds of variance `between` and windows of variance `within / t`, the mean over R rounds has the variance
 * (between + within / t) / R. A round takes `fixedMs + perCountedMs * t`. Where starting is dear and rounds are alike,
 * windows grow; where rounds differ, rounds do (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, ISMM
 * 2013). Their optimum leaves out that few rounds have wide intervals, so all numbers of rounds are tried.
 *
 * Returns the least rounds with the least windows where more do not fit.
 */
export function allocate(costs: RoundCosts, ahead: RoundsAhead): Allocation {
  const { made, leftMs, lateMs, reach, rounds: [least, most], countedMs: [shortest, longest] } = ahead;
  const varianceOf = (countedMs: number) => costs.between + costs.within / countedMs;
  const before = made.reduce((sum, countedMs) => sum + varianceOf(countedMs), 0);
  const fewest = Math.max(least, made.length);
  let best: Allocation = { rounds: fewest, countedMs: shortest }, narrowest = Infinity;
  for (let rounds = fewest; rounds <= Math.max(most, fewest); rounds++) {
    const more = rounds - made.length;
    const fits = more === 0 ? mean(made) : (leftMs / more - costs.fixedMs) / costs.perCountedMs;
    if (more > 0 && fits < shortest - lateMs / more / costs.perCountedMs) break;
    const countedMs = Math.min(longest, Math.max(shortest, fits));
    const half = reach(rounds) * Math.sqrt((before + more * varianceOf(countedMs)) / rounds ** 2);
    if (half >= narrowest) continue;
    narrowest = half;
    best = { rounds, countedMs };
  }
  return best;
}

/**
 * Returns the counted milliseconds that make a round tell most for its time: where the time for windows and the time besides
 * them stand as the square roots of what windows and rounds vary by (Kalibera and Jones). Infinite where rounds are alike.
 */
export const efficientMs = ({ fixedMs, perCountedMs, within, between }: RoundCosts): number =>
  Math.sqrt(fixedMs / perCountedMs * (within / between));
