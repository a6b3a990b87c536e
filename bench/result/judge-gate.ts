import { isJudged } from "../record/verdicts.ts";
import { groupLines } from "../judge/lines.ts";
import type { Cell } from "../record/cell-schema.ts";
import { APP_AXIS, cellKey } from "../record/cell.ts";
import type { Comparison } from "../record/comparison.ts";
import { comparisonOver } from "../record/inverse.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { medianOfKnown } from "../statistics/median.ts";
import { rowOf } from "../record/mark.ts";

/**
 * The outcome of a gate at one place, or at all. `regression`: proven slower by more than the limit. `no-regression`:
 * proven to be slower by at most the limit, or not slower. `not-proven`: neither.
 */
export type GateOutcome = "regression" | "no-regression" | "not-proven";

/** The result of a gate. */
export interface Gate {
  readonly outcome: GateOutcome;
  /** The axis on which base and yours are values. */
  readonly axis: string;
  /** Slowdown from which it fails, as a share. */
  readonly limit: number;
  /** On each runtime, all else being equal. */
  readonly places: readonly {
    /** The place in words; empty if there is only one. */
    readonly title: string;
    readonly outcome: GateOutcome;
    /** Base over yours: the ratio is CPU time per request of yours over that of base. */
    readonly comparison: Comparison;
    /** True for a regression that a second run did not prove again. */
    readonly isUnconfirmed?: true;
  }[];
}

/** Judges base against yours: a regression is a verdict whose whole interval lies beyond the limit, a share. */
export function judgeGate(
  { families, cells }: Pick<Summary, "families" | "cells">,
  limit: number,
  axis: string = APP_AXIS,
): Gate {
  const appOf = new Map(cells.map(({ name, cell }) => [name, cell.point.at[axis]]));
  const places = families.filter((family) => family.axis === axis).flatMap(({ title, comparisons }) =>
    comparisons.flatMap((one) => {
      const [base, yours] = [BASE, YOURS].map((app) => [one.over, one.under].find((name) => appOf.get(name) === app));
      if (base === undefined || yours === undefined) return [];
      const comparison = comparisonOver(base, one);
      return [{ title, outcome: outcomeOf(comparison, limit), comparison }];
    })
  );
  return { outcome: outcomeAt(places), axis, limit, places };
}

function outcomeAt(places: Gate["places"]): GateOutcome {
  const outcomes = places.map(({ outcome }) => outcome);
  return outcomes.includes("regression")
    ? "regression"
    : outcomes.length > 0 && outcomes.every((one) => one === "no-regression")
    ? "no-regression"
    : "not-proven";
}

/** Returns a gate whose regressions stand only at places where a second run proves one, too. */
export function confirmedBy(first: Gate, second: Gate): Gate {
  const again = second.places.filter(({ outcome }) => outcome === "regression").map(({ title }) => title);
  const places = first.places.map((place) =>
    place.outcome !== "regression" || again.includes(place.title)
      ? place
      : { ...place, outcome: "not-proven" as const, isUnconfirmed: true as const }
  );
  return { ...first, outcome: outcomeAt(places), places };
}

/**
 * True if a run must be repeated: it found a cell different from itself, so it proves nothing about base and yours.
 * That happens by chance in one run of a hundred. The result for base and yours plays no part, and only the second run
 * is judged: so nobody repeats until the result suits them.
 */
export function contradictsItself(
  { families }: Pick<Summary, "families">,
  compared: string = APP_AXIS,
): boolean {
  return families.some(({ axis, comparisons }) =>
    axis === compared &&
    comparisons.some((one) => !isJudged(one) && rowOf(one.marks[0]!).contradicts)
  );
}

function outcomeOf({ verdict, interval }: Comparison, limit: number): GateOutcome {
  if (interval === null) return "not-proven";
  if (verdict === "faster" && interval.low > 1 + limit) return "regression";
  return interval.high <= 1 + limit ? "no-regression" : "not-proven";
}

/** CPU time per request of a cell among others in nanoseconds, the median over the rounds that are ok; null without any. */
export function costTogether(lines: readonly Observation[], cell: Cell): number | null {
  const all = groupLines(lines).together.get(cellKey(cell)) ?? [];
  return medianOfKnown(all.map(({ line, member }) => line.status === "ok" ? member.cpu_ns_per_request : null));
}

/** Memory in bytes of a cell among others after its load, the median over the rounds that are ok; null without any. */
export function memoryTogether(lines: readonly Observation[], cell: Cell): number | null {
  const all = groupLines(lines).together.get(cellKey(cell)) ?? [];
  return medianOfKnown(all.map(({ line, member }) => line.status === "ok" ? member.memory?.loaded : null));
}

/** Measures, and repeats that if the first run contradicts itself: then only the second counts. */
export async function measuredAgain<
  R extends { readonly run: Pick<RunRecord, "run" | "state">; readonly summary: Pick<Summary, "families"> },
>(
  measure: () => Promise<R>,
  again: (name: string) => void,
  axis: string = APP_AXIS,
): Promise<{ readonly finished: R; readonly insteadOf: string | null }> {
  const first = await measure();
  if (first.run.state === "interrupted" || !contradictsItself(first.summary, axis)) {
    return { finished: first, insteadOf: null };
  }
  again(first.run.run);
  return { finished: await measure(), insteadOf: first.run.run };
}

/** Names of the two revisions among the servers of a gate. */
export const BASE = "base";

export const YOURS = "yours";
