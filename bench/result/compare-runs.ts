import { isJudged } from "../record/verdicts.ts";
import { cellKey, pointName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { expm1, geometricMean, log } from "../statistics/logarithms.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { type ComparisonInput, type Floor, judgeFamily, noVerdict } from "../statistics/verdict.ts";
import type { CellFigures } from "../record/card.ts";
import { type AcrossMachines, acrossMachines } from "./across-machines.ts";
import { waitsAlone } from "../judge/waiting.ts";
import { isInTurn, isUnsupported, rateMarks, statusMarks } from "./cell-card.ts";
import { groupLines, rateOf } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { Comparison } from "../record/comparison.ts";
import { comparisonOver } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";
import { SINGLE_RUNS } from "./open-comparisons.ts";
import { environmentDifferences } from "./run-changes.ts";
import { type PointKey, pointKeyOver } from "./shared-points.ts";

/** A run with its published files, and the label of it that is compared. */
export interface ComparedRun {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  readonly summary: Summary;
  readonly cards: readonly CellFigures[];
  readonly label: string;
}

/** One side of a comparison: a run, or several of the same thing. */
type ComparedSide = ComparedRun | readonly ComparedRun[];

/** A point that both sides measured. */
export interface ComparedCell {
  /** Its name for people, without a label if two labels of one run are compared. */
  readonly cell: string;
  readonly point: Cell["point"];
  /** Requests a second, the median over a run's rounds and the geometric mean over runs; null without an ok observation. */
  readonly over: number | null;
  readonly under: number | null;
  /** The judged ratio, else that of both rates; null if one of them has none. */
  readonly ratio: number | null;
  readonly comparison: Comparison;
}

/** Two compared sides: `under` is the first that was given, `over` the later one. */
export interface RunComparison {
  readonly environment: readonly string[];
  /** True if both sides were measured in the same rounds: then drift cancels. */
  readonly paired: boolean;
  /** Kinds of CPU they ran on: rates on different kinds depend on the machine as much as on the program. */
  readonly cpus: readonly string[];
  /** The comparisons over kinds of CPU, by the verdicts of each; null if all ran on one kind or share no comparison. */
  readonly across: AcrossMachines | null;
  /** Differences below this share are not believed. */
  readonly delta: number | null;
  /** The ratio of the load generator's ceilings, which shows the machine's speed; null if it was not measured. */
  readonly ceiling: number | null;
  readonly cells: readonly ComparedCell[];
  /** Cells that every run of one side measured and not every run of the other. */
  readonly onlyOver: readonly string[];
  readonly onlyUnder: readonly string[];
}

interface PointOfRun {
  readonly card: CellFigures;
  /** The geometric mean of its ok rates, one value a run; null without any. */
  readonly rate: number | null;
  /** The generator's ceiling with its requests; null if it was not measured. */
  readonly ceiling: number | null;
  /** Reasons against a verdict on it. */
  readonly marks: readonly Mark[];
}

/** A point over some runs, in their order; null where a run did not measure it. */
interface PointRow {
  readonly key: string;
  readonly seen: readonly (PointOfRun | null)[];
}

/** The points of runs over these runs, those of the first run first. */
export function pointRows(runs: readonly ComparedRun[]): PointRow[] {
  const keyOf = pointKeyOver(runs);
  const columns = runs.map((run) => pointsOf(run, keyOf));
  return [...new Set(columns.flatMap((column) => [...column.keys()]))]
    .map((key) => ({ key, seen: columns.map((column) => column.get(key) ?? null) }));
}

/** The points of a run by their keys, without those that cannot be. */
function pointsOf({ run, lines, summary, cards, label }: ComparedRun, keyOf: PointKey): Map<string, PointOfRun> {
  const { plan } = run;
  const { solo } = groupLines(lines);
  const marksOf = new Map(summary.cells.map(({ name, marks }) => [name, marks]));
  const ceilings = new Map(plan.ceilings.flatMap(({ stands_for }, n) => {
    const rate = summary.ceilings[n]?.requests_per_second ?? null;
    return stands_for.map((place) => [cellKey(plan.cells[place]!), rate] as const);
  }));
  const kept = cards.filter((card) => card.cell.label === label && !isUnsupported(card));
  return new Map(kept.map((card) => {
    const key = cellKey(card.cell), alone = solo.get(key) ?? [];
    const rates = alone.flatMap((one) => rateOf(one) ?? []);
    const withheld = marksOf.get(card.name)?.filter(({ effect }) => effect === "withholds") ?? [];
    return [keyOf(card.cell.point), {
      card,
      rate: rates.length === 0 ? null : geometricMean(rates),
      ceiling: ceilings.get(key) ?? null,
      marks: [...statusMarks(card), ...rateMarks(card, waitsAlone(alone) || isInTurn(plan, alone)), ...withheld],
    }];
  }));
}

/** Holds two sides against each other cell by cell; all cells are one family. */
export function compareRuns(under: ComparedSide, over: ComparedSide): RunComparison {
  const [before, after] = [under, over].map((side) => "run" in side ? [side] : side) as [ComparedRun[], ComparedRun[]];
  const runs = [...before, ...after];
  const rows = pointRows(runs);
  const [first, later] = [before.map((_, n) => n), after.map((_, n) => before.length + n)];
  const paired = runs.length === 2 && runs[0]!.run.run === runs[1]!.run.run && runs[0]!.label !== runs[1]!.label;
  const across = paired ? null : acrossMachines(runs);
  return {
    environment: paired ? [] : [...new Set(runs.slice(1).flatMap((run) => environmentDifferences(runs[0]!, run)))],
    paired,
    cpus: [...new Set(runs.map(({ run }) => run.machine.cpu_kind))],
    across: across === null || "cause" in across ? null : across,
    ...(paired ? comparedLabels(runs[0]!, runs[1]!, rows) : comparedPlaces(runs, rows, first, later)),
    onlyOver: onlyIn(rows, later, first),
    onlyUnder: onlyIn(rows, first, later),
  };
}

type Compared = Pick<RunComparison, "delta" | "ceiling" | "cells">;

/** Two labels of one run, by its own verdicts: they share rounds. */
function comparedLabels(under: ComparedRun, over: ComparedRun, rows: readonly PointRow[]): Compared {
  const cellOf = new Map(under.summary.cells.map(({ name, cell }) => [name, cell]));
  const made = under.summary.families.filter(({ kind }) => kind === "label").flatMap(({ comparisons }) => comparisons);
  const deltas = made.flatMap((one) => !isJudged(one) ? [] : one.delta);
  const known = new Map(rows.flatMap(({ seen }) => seen.flatMap((one) => one === null ? [] : [[one.card.name, one]])));
  return {
    delta: deltas.length === 0 ? null : Math.max(...deltas),
    ceiling: null,
    cells: made.flatMap((one): ComparedCell[] => {
      const [overName, underName] = [over, under].map(({ label }) =>
        [one.over, one.under].find((name) => cellOf.get(name)!.label === label)
      );
      if (overName === undefined || underName === undefined) return [];
      const { point } = cellOf.get(overName)!;
      const [rateOver, rateUnder] = [overName, underName].map((name) =>
        known.get(name)?.card.requests_per_second ?? null
      );
      const comparison = comparisonOver(overName, one);
      return [{
        cell: pointName(under.run.plan.axes, point),
        point,
        over: rateOver!,
        under: rateUnder!,
        ratio: comparison.ratio,
        comparison,
      }];
    }),
  };
}

/**
 * Compares different runs, by their places. Their rounds do not belong together, and rounds of one run do not predict
 * another run. So a run is one value, the mean of its log rates, and a side needs several. Changes between the sides widen
 * the margin.
 *
 * @param looks how many such comparisons of different runs are one question: see {@link judgeFamily}
 */
export function comparedPlaces(
  runs: readonly ComparedRun[],
  rows: readonly PointRow[],
  under: readonly number[],
  over: readonly number[],
  looks = 1,
): Compared {
  const shared = rows.flatMap(({ seen }) => {
    const [earlier, later] = [under, over].map((places) => places.flatMap((place) => seen[place] ?? []));
    return earlier!.length < under.length || later!.length < over.length ? [] : [{ earlier: earlier!, later: later! }];
  });
  const drifts = shared.flatMap(({ earlier, later }) => {
    const [from, to] = [earlier, later].map((side) => meanOf(side.map(({ ceiling }) => ceiling)));
    return from === null || to === null ? [] : [to! / from!];
  });
  const floor = commonFloor([...under, ...over].map((place) => runs[place]!), drifts);
  const ratesOf = (side: readonly PointOfRun[]) => side.flatMap(({ rate }) => rate ?? []);
  const inputs = shared.map(({ earlier, later }): ComparisonInput => ({
    over: later[0]!.card.name,
    under: earlier[0]!.card.name,
    basis: "solo",
    evidence: { kind: "runs", over: ratesOf(later), under: ratesOf(earlier), better: "higher" },
    marks: distinct([...earlier, ...later].flatMap(({ marks }) => marks)),
  }));
  const single = under.length === 1 && over.length === 1;
  const comparisons = single
    ? inputs.map((one) => noVerdict(one, [mark("single-runs", SINGLE_RUNS), ...one.marks]))
    : judgeFamily(inputs, { solo: floor }, looks).comparisons;
  const shownRate = (side: readonly PointOfRun[]) => meanOf(side.map(({ card }) => card.requests_per_second));
  return {
    delta: single || floor.kind === "unknown" ? null : floor.delta,
    ceiling: drifts.length === 0 ? null : geometricMean(drifts),
    cells: shared.map(({ earlier, later }, n) => {
      const [comparison, rates] = [comparisons[n]!, { over: shownRate(later), under: shownRate(earlier) }];
      const plain = rates.over === null || rates.under === null ? null : rates.over / rates.under;
      const { name, cell: { point } } = earlier[0]!.card;
      return { cell: name, point, ...rates, ratio: comparison.ratio ?? plain, comparison };
    }),
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : geometricMean(known);
}

/** Names of points that a side measured and not every run of the other did. */
const onlyIn = (rows: readonly PointRow[], these: readonly number[], others: readonly number[]): string[] =>
  rows.filter(({ seen }) => others.some((place) => seen[place] === null))
    .flatMap(({ seen }) => these.flatMap((place) => seen[place] ?? []).slice(-1).map(({ card }) => card.name));

/**
 * Returns the difference between sides that gets no verdict: the change of the generator's ceiling between them, for
 * the kinds of request they share. The ceiling uses no code of either side, so its change is the machine's. Differences
 * among runs of one side are in the interval.
 */
function commonFloor(runs: readonly ComparedRun[], drifts: readonly number[]): Floor {
  const contradicted = runs.some(({ summary }) => summary.noise_floor.solo.kind === "different");
  if (contradicted) return { kind: "different", delta: 0 };
  if (drifts.length === 0) {
    return { kind: "unknown", mark: mark("noise-floor-unknown", "a run has no ceiling to tell drift by") };
  }
  const most = Math.max(...drifts.map((drift) => Math.abs(log(drift))));
  return { kind: "agree", delta: Math.max(thresholds.leastDelta.value, expm1(most)) };
}

const distinct = (marks: readonly Mark[]): Mark[] =>
  marks.filter(({ text }, n) => n === marks.findIndex((one) => one.text === text));
