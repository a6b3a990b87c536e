/** Ratios that move with the core's speed, over several runs of one machine and one version. */
import { isJudged, type Judged } from "../record/verdicts.ts";
import { type CoreSlope, coreSlope, pooledRounds } from "../statistics/core-speed.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { ensembleTables, gaugeOf } from "./block-tables.ts";
import type { ComparedRun } from "./compare-runs.ts";
import { environmentDifferences } from "./run-changes.ts";

/** Two cells of each run whose ratio moves with the core's speed. */
export interface SlopeOverRuns extends CoreSlope {
  readonly over: string;
  readonly under: string;
}

/**
 * Returns the ratios that provably move with the core's speed over the rounds of several runs, pooled within their run:
 * see {@link pooledRounds}. Only pairs that every run judges count; the slopes are one family. None for runs of several
 * machines, versions or plans, whose slope would be theirs.
 */
export function slopesOverRuns(runs: readonly ComparedRun[]): SlopeOverRuns[] {
  if (runs.some((run) => environmentDifferences(runs[0]!, run).length > 0)) return [];
  const made = runs.map(({ run, lines, summary }) => ({
    tables: ensembleTables(run.plan, lines),
    judged: summary.families.flatMap(({ comparisons }) => comparisons.filter(isJudged)).filter(({ basis }) =>
      basis === "together"
    ),
  }));
  const [first, ...others] = made;
  const isOf = (over: string, under: string) => (one: Judged) =>
    one.over === over && one.under === under || one.over === under && one.under === over;
  const pairs = (first?.judged ?? []).flatMap(({ over, under, delta }) => {
    const same = others.map(({ judged }) => judged.find(isOf(over, under)));
    const tables = made.flatMap(({ tables }) =>
      tables.find(({ members }) => members.includes(over) && members.includes(under)) ?? []
    );
    if (same.includes(undefined) || tables.length < made.length) return [];
    const [gauge, ...more] = tables.map((table) => gaugeOf(table, over, under));
    const shared = gauge!.filter((name) => more.every((names) => names.includes(name)));
    return [{ over, under, gauge: shared, delta: Math.max(delta, ...same.map((one) => one!.delta)), tables }];
  });
  const level = 1 - thresholds.familyAlpha.value / Math.max(1, pairs.length);
  return pairs.flatMap(({ over, under, gauge, delta, tables }) => {
    const { table, lost } = pooledRounds(tables, [over, under, ...gauge]);
    const slope = coreSlope(table, over, under, { gauge, delta, level, lost });
    return slope === null ? [] : [{ over, under, ...slope }];
  });
}
