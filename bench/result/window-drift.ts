import { percent } from "../basics/units.ts";
import { mostMovedBy } from "../judge/contention.ts";
import { takenShare, windowChange } from "../judge/judge-cell.ts";
import { mark, markOf, rowOf } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { moderatedTimes } from "../statistics/blocks.ts";
import { log } from "../statistics/logarithms.ts";
import { median } from "../statistics/median.ts";
import { costOf } from "../statistics/slices.ts";
import { flatnessOf, greatestChange } from "../statistics/steady.ts";
import { sampleOf, tInterval } from "../statistics/t-interval.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { ComparisonInput } from "../statistics/verdict.ts";
import { mean } from "../statistics/variation.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { EnsembleTable } from "./block-tables.ts";
import type { MeasuredCell } from "./measured-cells.ts";
import type { Summary } from "../record/summary.ts";
import type { Member } from "../record/observation-record.ts";

/** ln of how a server's CPU time per request changed after the window's first third; null if unknown. */
export function changeInside({ parts }: Pick<Member, "parts">): number | null {
  if (parts === null || parts.some(({ requests }) => requests < THRESHOLDS.steadinessMinRequests)) return null;
  const [head, tail] = parts.map(costOf);
  return log(tail! / head!);
}

/**
 * Returns the change of each server's cost inside the windows of each round, against the median change of the others.
 * So a slower core cancels, and some cold servers do not make the others look dearer.
 */
function changesOf({ members: names, rounds }: EnsembleTable): number[][] {
  const changes = rounds.map(({ members }) => members.map((member) => member && changeInside(member)));
  return names.map((_, n) =>
    changes.flatMap((round) => {
      const inside = round[n] ?? null;
      const others = round.flatMap((change, place) => place === n ? [] : change ?? []);
      return inside === null || others.length === 0 ? [] : inside - median(others);
    })
  );
}

/** Judges afterwards if servers were warm when they were compared. */
export function driftsOf(ensemble: EnsembleTable): Summary["drifts"] {
  const changes = changesOf(ensemble);
  return ensemble.members.map((cell, n) => {
    const { kind, change, interval } = flatnessOf(changes[n]!);
    return { cell, rounds: changes[n]!.length, change, interval, steadiness: kind };
  });
}

/**
 * Returns the confidence at which a server's cost counts as changed against all others: 1 - 0.4 / n for each of n
 * servers. With two servers that is less than the pair requires, with sixteen it is 97.5 %.
 */
const ALARMS = 0.4;

/** Computed once a table: a family asks for it in each of its comparisons. */
const known = new WeakMap<EnsembleTable, readonly boolean[]>();

/**
 * Finds the servers that changed against all others. A pair alone shows little after a few rounds, but all servers of a
 * core show the usual spread of a change. So the variance is half a server's and half the mean of all, with the degrees
 * of freedom of a table of equals: see {@link moderatedTimes}.
 */
function moversOf(ensemble: EnsembleTable): readonly boolean[] {
  const before = known.get(ensemble);
  if (before !== undefined) return before;
  const samples = changesOf(ensemble).map((ofMember) =>
    ofMember.length < thresholds.leastRounds.value ? null : sampleOf(ofMember)
  );
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
 * Returns the doubt about two servers whose costs changed inside the windows, with the most that it moved their ratio:
 * the size of the change. Null without doubt. The two must have changed against each other, and one of them against
 * all: a cold server does not affect the comparison of others, and of 45 pairs of warm servers four or five seem to
 * change by chance.
 */
export function driftDoubt(
  ensemble: EnsembleTable,
  a: string,
  b: string,
): NonNullable<ComparisonInput["doubt"]> | null {
  const [x, y] = [a, b].map((name) => ensemble.members.indexOf(name)) as [number, number];
  const flatness = flatnessOf(ensemble.rounds.flatMap(({ members }) => {
    const [one, other] = [members[x], members[y]].map((member) => member ? changeInside(member) : null);
    return one === null || other === null ? [] : one! - other!;
  }));
  if (flatness.kind !== "moving") return null;
  const { change, interval } = flatness;
  const movers = moversOf(ensemble);
  if (!movers[x] && !movers[y]) return null;
  const [cold, other, by] = change < 0 ? [a, b, -change] : [b, a, -(1 / (1 + change) - 1)];
  const text = `${cold} still grew cheaper against ${other} by ${percent(by)} inside the window`;
  return { mark: { ...mark("warming-up", text), cell: cold }, most: greatestChange(interval) };
}

/** Returns the doubt about cells measured alone: rates that changed, or cores others used, may move their ratio. */
export function aloneDoubt(cells: readonly MeasuredCell[]): ComparisonInput["doubt"] {
  const moved = cells.flatMap(({ name, solo, marks }) => {
    const ok = solo.filter(({ status }) => status === "ok");
    const change = windowChange(ok);
    const sizes = {
      inside: change.kind === "moving" ? greatestChange(change.interval) : null,
      taken: mostMovedBy(takenShare(ok)),
    };
    return (["inside", "taken"] as const).flatMap((how) => {
      const given = marks.find((one) => rowOf(one).moves === how);
      const most = sizes[how];
      return given === undefined || most === null ? [] : [{ mark: markOf(name, given), most }];
    });
  });
  const [first] = moved;
  if (first === undefined) return undefined;
  return {
    mark: moved.length === 1 ? first.mark : mark(first.mark.code, moved.map((one) => one.mark.text).join("; ")),
    most: moved.reduce((product, { most }) => product * (1 + most), 1) - 1,
  };
}

/** True if what a mark of a cell says moves its rate by a known size, and so withholds verdicts only within that. */
export const isOfKnownSize = (given: Mark): boolean => rowOf(given).moves !== undefined;
