import type { Random } from "../random.ts";
import type { RoundPair } from "./compare.ts";

/** What is simulated: cells with true speeds, all measured once in each round. */
export interface SimulatedRun {
  readonly rounds: number;
  /** True log speed of each cell. */
  readonly logSpeeds: readonly number[];
  /** Standard deviation of one trial's log speed: about the coefficient of variation of a cell. */
  readonly sd: number;
  /** Greatest change common to all cells of a round: 0.2 slows or quickens a whole round by up to 20 %. */
  readonly drift: number;
}

/** Measured speeds, by round and then by cell. */
export type SimulatedRounds = readonly (readonly number[])[];

/** Draws one run: speed = exp(log speed + normal noise) x (1 + drift common to the round). */
export function simulateRun(run: SimulatedRun, random: Random): SimulatedRounds {
  return Array.from({ length: run.rounds }, () => {
    const common = 1 + run.drift * (2 * random() - 1);
    return run.logSpeeds.map((logSpeed) => common * Math.exp(logSpeed + run.sd * normal(random)));
  });
}

/** The rounds of two cells of a simulated run, as a comparison takes them. */
export function pairsOf(rounds: SimulatedRounds, a: number, b: number): RoundPair[] {
  return rounds.map((speeds, round) => ({ round, a: speeds[a]!, b: speeds[b]! }));
}

/** The share of simulated runs, of the given number, in which something happens. */
export function shareOf(runs: number, happens: () => boolean): number {
  let count = 0;
  for (let run = 0; run < runs; run++) if (happens()) count++;
  return count / runs;
}

/** A standard normal number (Box and Muller, Annals of Mathematical Statistics 29, 1958). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
