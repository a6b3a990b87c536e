import { percent } from "../percent.ts";
import { type Flatness, flatnessOf } from "../statistics/steady.ts";
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

/**
 * Why two servers must not be compared for what their costs did inside the windows, in words; null when nothing speaks
 * against it. Held against each other alone: one that was cold makes the others look dearer against all of them, and
 * says nothing of how these compare.
 */
export function driftObjection({ table, rounds }: EnsembleTable, a: string, b: string): string | null {
  const [x, y] = [a, b].map((name) => table.members.indexOf(name)) as [number, number];
  const { kind, change } = flatnessOf(rounds.flatMap(({ members }) => {
    const [own, other] = [members[x], members[y]].map((member) => member ? changeInside(member) : null);
    return own === null || other === null ? [] : own! - other!;
  }));
  if (kind !== "moving") return null;
  const [cold, other, by] = change < 0 ? [a, b, -change] : [b, a, -(1 / (1 + change) - 1)];
  return `${cold} still grew cheaper against ${other} by ${percent(by)} inside the window`;
}
