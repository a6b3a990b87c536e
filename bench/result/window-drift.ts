import { percent } from "../basics/units.ts";
import { windowChange } from "../judge/judge-cell.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { moderatedTimes } from "../statistics/blocks.ts";
import { log } from "../statistics/logarithms.ts";
import { median } from "../statistics/median.ts";
import { farthest, type Flatness, flatnessOf } from "../statistics/steady.ts";
import { sampleOf, tInterval } from "../statistics/t-interval.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { ComparisonInput } from "../statistics/verdict.ts";
import { mean } from "../statistics/variation.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { EnsembleTable } from "./block-tables.ts";
import type { MeasuredCell } from "./measured-cells.ts";
import type { Member } from "../record/observation-record.ts";

/** How a server's cost went inside the windows it shared, over all rounds. */
interface Drift {
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
  return log(tail / head);
}

/**
 * How each server's cost changed inside the windows, a round each, against the median of what the others' did: so what
 * slowed the core in a window says nothing, and some that are cold do not make the others look dearer.
 */
function changesOf({ table, rounds }: EnsembleTable): number[][] {
  const changes = rounds.map(({ members }) => members.map((member) => member && changeInside(member)));
  return table.members.map((_, n) =>
    changes.flatMap((round) => {
      const own = round[n] ?? null;
      const others = round.flatMap((change, place) => place === n ? [] : change ?? []);
      return own === null || others.length === 0 ? [] : own - median(others);
    })
  );
}

/** Judges afterwards if servers were warm when they were compared. */
export function driftsOf(ensemble: EnsembleTable): Drift[] {
  const changes = changesOf(ensemble);
  return ensemble.table.members.map((cell, n) => ({
    cell,
    rounds: changes[n]!.length,
    flatness: flatnessOf(changes[n]!),
  }));
}

/**
 * How sure it must be that a server's cost changed against all others before its pairs are held to have changed: each of n
 * servers at 1 - 0.4 / n. With two that asks for less than the pair itself, with sixteen for 97.5 %.
 */
const ALARMS = 0.4;

/** Computed once a table: a family asks for it in each of its comparisons. */
const known = new WeakMap<EnsembleTable, readonly boolean[]>();

/**
 * Which servers changed against all others. A pair by itself says little after a few rounds; what spread is to be expected of
 * a change, all servers of a core tell together. So the variance is half a server's own and half the mean of all, with the
 * degrees of freedom a table of equals has: see {@link moderatedTimes}.
 */
function moversOf(ensemble: EnsembleTable): readonly boolean[] {
  const before = known.get(ensemble);
  if (before !== undefined) return before;
  const samples = changesOf(ensemble).map((own) => own.length < thresholds.leastRounds.value ? null : sampleOf(own));
  const usable = samples.filter((sample) => sample !== null);
  const servers = usable.length;
  const usual = servers === 0 ? 0 : mean(usable.map(({ sd }) => sd ** 2));
  const found = samples.map((sample) => {
    if (sample === null || servers < 2) return false;
    const { n, sd } = sample;
    const degrees = Math.floor((n - 1) * moderatedTimes(servers) + 1e-9);
    const error = Math.sqrt((sd ** 2 + usual) / 2 / n);
    const { low, high } = tInterval({ mean: sample.mean, error, degrees }, 1 - ALARMS / servers);
    return low > 0 || high < 0;
  });
  known.set(ensemble, found);
  return found;
}

/**
 * Why the comparison of two servers is in doubt for what their costs did inside the windows, and how far that may have
 * moved their ratio: by no more than the change may have been; null when nothing speaks against it. Held against each
 * other alone, and one of them against all: one that was cold says nothing of how the others compare, and of 45 pairs of
 * warm servers four or five seem to change by chance.
 */
export function driftDoubt(
  ensemble: EnsembleTable,
  a: string,
  b: string,
): NonNullable<ComparisonInput["doubt"]> | null {
  const { table, rounds } = ensemble;
  const [x, y] = [a, b].map((name) => table.members.indexOf(name)) as [number, number];
  const flatness = flatnessOf(rounds.flatMap(({ members }) => {
    const [own, other] = [members[x], members[y]].map((member) => member ? changeInside(member) : null);
    return own === null || other === null ? [] : own! - other!;
  }));
  if (flatness.kind !== "moving") return null;
  const { change, interval } = flatness;
  const movers = moversOf(ensemble);
  if (!movers[x] && !movers[y]) return null;
  const [cold, other, by] = change < 0 ? [a, b, -change] : [b, a, -(1 / (1 + change) - 1)];
  return {
    reason: `${cold} still grew cheaper against ${other} by ${percent(by)} inside the window`,
    most: farthest(interval),
  };
}

/**
 * The same of cells that were each measured alone, whose rates tell: every one that grew faster or slower inside its windows
 * may have moved their ratio, all of them the same way.
 */
export function aloneDoubt(cells: readonly MeasuredCell[]): ComparisonInput["doubt"] {
  const moved = cells.flatMap(({ name, solo, marks }) => {
    const own = marks.find(isOfWindow);
    const change = windowChange(solo.filter(({ status }) => status === "ok"));
    return own === undefined || change.kind !== "moving" ? [] : [{ text: `${name}: ${own.text}`, change }];
  });
  if (moved.length === 0) return undefined;
  return {
    reason: moved.map(({ text }) => text).join("; "),
    most: moved.reduce((product, { change }) => product * (1 + farthest(change.interval)), 1) - 1,
  };
}

/** True if a mark is of a change inside windows, which withholds a verdict only within the size of the change. */
export const isOfWindow = ({ code }: Mark): boolean => code === "warming-up" || code === "slowing-down";
