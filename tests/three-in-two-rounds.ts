import { SETTLE_MS } from "../bench/plan/lengths.ts";
import { MAIN } from "../bench/record/cell.ts";
import { type Site, withCells } from "./run-bench.ts";

/**
 * Gives the file of a printed plan of three servers in two rounds, without twins and ceilings: which of them fail after halts
 * is known after the first round, and verdicts need more.
 */
export function threeInTwoRounds(site: Site, printed: string): string {
  const whole = JSON.parse(printed);
  whole.plan.rounds = 2;
  whole.plan.ensembles = [{ ...whole.plan.ensembles[0], rounds: 2, cells: [0, 1, 2] }];
  whole.plan.ceilings = [];
  whole.plan.warmup.ms = SETTLE_MS;
  return withCells(site, whole, ({ label }) => label === MAIN);
}
