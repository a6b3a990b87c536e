import { percent } from "../percent.ts";
import { type BlockTable, compareBlocks } from "../statistics/blocks.ts";
import { type Flatness, flatnessOf } from "../statistics/steady.ts";
import { tInterval } from "../statistics/t-interval.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { mean } from "../statistics/variation.ts";
import { THRESHOLDS } from "../thresholds.ts";
import type { EnsembleTable } from "./block-tables.ts";
import type { Member } from "./observation-record.ts";

/** How a server's cost went inside the windows it shared, over all rounds. */
export interface Drift {
  /** Name of its cell. */
  readonly cell: string;
  /** Rounds that say something. */
  readonly rounds: number;
  readonly flatness: Flatness;
}

/** ln of how a server's CPU time per request changed after the window's first third; null where unknown. */
export function changeInside({ parts }: Pick<Member, "parts">): number | null {
  if (parts === null || parts.some(({ requests }) => requests < THRESHOLDS.steadinessMinRequests)) return null;
  const [head, tail] = parts.map(({ cpu_ns, requests }) => cpu_ns / requests) as [number, number];
  return Math.log(tail / head);
}

/**
 * Whether servers were warm when they were compared, after the fact: of each, how its cost changed inside the windows
 * against what all of them changed, so that what slowed the core in a window says nothing.
 */
export function driftsOf({ table, rounds }: EnsembleTable): Drift[] {
  const changes = rounds.map(({ members }) => {
    const own = members.map((member) => member && changeInside(member));
    const known = own.filter((change) => change !== null);
    const common = known.length === 0 ? 0 : mean(known);
    // In a mean over n that holds the server's own change, (n - 1) / n of it is left.
    const left = known.length < 2 ? null : known.length / (known.length - 1);
    return own.map((change) => change === null || left === null ? null : (change - common) * left);
  });
  return table.members.map((cell, n) => {
    const own = changes.flatMap((round) => round[n] ?? []);
    return { cell, rounds: own.length, flatness: flatnessOf(own) };
  });
}

/** How sure it must be that a server was not warm before its verdict is withheld: as sure as that two crowd each other. */
const LEVEL = 0.99;

const changeTables = new WeakMap<EnsembleTable, BlockTable>();

/** How each server's cost changed inside the windows, as a factor, a round each. */
function changesOf(ensemble: EnsembleTable): BlockTable {
  const { table, rounds } = ensemble;
  const changes = changeTables.get(ensemble) ?? {
    id: `changes inside ${table.id}`,
    members: table.members,
    rounds: rounds.map(({ round, members }) => ({
      round,
      costs: members.map((member) => {
        const change = member && changeInside(member);
        return change === null ? null : Math.exp(change);
      }),
    })),
  };
  changeTables.set(ensemble, changes);
  return changes;
}

/**
 * Why two servers must not be compared for what their costs did inside the windows, in words; null when nothing speaks
 * against it. Held against each other alone: one that was cold makes the others look dearer against all of them, and
 * says nothing of how these compare. Their changes vary from round to round as costs do, and are judged like these.
 *
 * A change that is too small to be sure of moves a cost by a third of itself, the head's share of the window, which is
 * less than the verdict's own interval allows for: changes vary twice as much as costs.
 */
export function driftObjection(ensemble: EnsembleTable, a: string, b: string): string | null {
  const compared = compareBlocks(changesOf(ensemble), a, b);
  if (compared.kind !== "measured" || compared.logRatio.n < thresholds.leastRounds.value) return null;
  const { mean, error, degrees } = compared.logRatio;
  const { low, high } = tInterval({ mean, error, degrees }, LEVEL);
  if (Math.abs(mean) <= Math.log1p(thresholds.steadyWindowChange.value) || (low <= 0 && high >= 0)) return null;
  // By how much b grew dearer against a, and so a cheaper against b.
  const [cold, other] = mean > 0 ? [a, b] : [b, a];
  return `${cold} still grew cheaper against ${other} by ${percent(-Math.expm1(-Math.abs(mean)))} inside the window`;
}
