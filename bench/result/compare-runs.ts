import { isJudged } from "../record/verdicts.ts";
import { cellKey, pointKey, pointName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { expm1, geometricMean, log } from "../statistics/logarithms.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { type ComparisonInput, type Floor, judgeFamily, noVerdict } from "../statistics/verdict.ts";
import type { CellFigures, Speed } from "../record/card.ts";
import { type AcrossMachines, acrossMachines } from "./across-machines.ts";
import { isInTurn, isUnsupported, rateMarks, statusMarks } from "./cell-card.ts";
import { type Lines, rateOf, type Solo, sortLines } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { Comparison } from "../record/comparison.ts";
import { seenFrom } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";
import { SINGLE_RUNS } from "./open-comparisons.ts";
import { environmentDifferences } from "./run-changes.ts";
import { type PointKey, pointKeyOver } from "./shared-points.ts";

/** A run with what it publishes, and which of its labels is compared. */
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
  /** As judged, else the ratio of both rates; null if one of them has none. */
  readonly ratio: number | null;
  readonly comparison: Comparison;
}

/** Two compared sides: `under` is the first that was given, `over` the later one. */
export interface RunComparison {
  /** Differences between their environments, in words. */
  readonly environment: readonly string[];
  /** True if rounds of both belong together: then drift cancels. */
  readonly paired: boolean;
  /** Kinds of CPU they ran on: rates on different kinds depend on the machine as much as on the program. */
  readonly cpus: readonly string[];
  /** The comparisons over kinds of CPU, by the verdicts of each; null if all ran on one kind or share no comparison. */
  readonly across: AcrossMachines | null;
  /** Differences below this share are not believed. */
  readonly delta: number | null;
  /** The load generator's ceiling, as a ratio too: what the machine's speed did; null if it was not measured. */
  readonly ceiling: number | null;
  readonly cells: readonly ComparedCell[];
  /** Cells that every run of one side measured and not every run of the other. */
  readonly onlyOver: readonly string[];
  readonly onlyUnder: readonly string[];
}

/**
 * Holds two sides against each other cell by cell; all cells are one family.
 *
 * @param looks how many such comparisons of different runs are one question: see {@link judgeFamily}
 * @param keyOf key of points over all runs that are compared in a row
 */
export function compareRuns(
  under: ComparedSide,
  over: ComparedSide,
  looks = 1,
  keyOf: PointKey = pointKeyOver([...runsOf(under), ...runsOf(over)]),
): RunComparison {
  const [first, second] = [runsOf(under), runsOf(over)];
  return isPaired(under, over) ? compareLabels(first[0]!, second[0]!) : compareApart(first, second, looks, keyOf);
}

/** True if both sides are labels of one run, whose rounds belong together. */
export function isPaired(a: ComparedSide, b: ComparedSide): boolean {
  const [first, second] = [runsOf(a), runsOf(b)];
  return first.length === 1 && second.length === 1 && first[0]!.run.run === second[0]!.run.run &&
    first[0]!.label !== second[0]!.label;
}

/** The runs of a side. */
function runsOf(side: ComparedSide): readonly ComparedRun[] {
  return "run" in side ? [side] : side;
}

function compareLabels(under: ComparedRun, over: ComparedRun): RunComparison {
  const [first, second] = [cardsOf(under, pointKey), cardsOf(over, pointKey)];
  const cellOf = new Map(under.summary.cells.map(({ name, cell }) => [name, cell]));
  const made = under.summary.families.filter(({ kind }) => kind === "label").flatMap(({ comparisons }) => comparisons);
  const deltas = made.flatMap((one) => !isJudged(one) ? [] : one.delta);
  return {
    environment: [],
    paired: true,
    cpus: [under.run.machine.cpu_kind],
    across: null,
    delta: deltas.length === 0 ? null : Math.max(...deltas),
    ceiling: null,
    cells: made.flatMap((one): ComparedCell[] => {
      const sides = [one.over, one.under];
      const [overName, underName] = [over, under].map(({ label }) =>
        sides.find((name) => cellOf.get(name)!.label === label)
      );
      if (overName === undefined || underName === undefined) return [];
      const { point } = cellOf.get(overName)!;
      const rate = (cards: Cards) => cards.get(pointKey(point))?.requests_per_second ?? null;
      const comparison = seenFrom(overName, one);
      return [{
        cell: pointName(under.run.plan.axes, point),
        point,
        over: rate(second),
        under: rate(first),
        ratio: comparison.ratio,
        comparison,
      }];
    }),
    ...apart([first], [second]),
  };
}

/**
 * Compares different runs. Their rounds do not belong together, and rounds of one run do not predict another run. So a
 * run is one value, the mean of its log rates, and a side needs several. Changes between the sides widen the margin.
 */
function compareApart(
  under: readonly ComparedRun[],
  over: readonly ComparedRun[],
  looks: number,
  keyOf: PointKey,
): RunComparison {
  const [before, after] = [sideOf(under, keyOf), sideOf(over, keyOf)];
  const shared = [...before.cards[0]!.keys()].flatMap((key) => {
    const [earlier, other] = [before, after].map((side) => sharedCell(side, key));
    return earlier === null || other === null ? [] : [{ earlier: earlier!, other: other! }];
  });
  const drifts = ceilingRatios(under, over, shared, keyOf);
  const floor = commonFloor([...under, ...over], drifts);
  const inputs = shared.map(({ earlier, other }): ComparisonInput => ({
    over: other.name,
    under: earlier.name,
    basis: "solo",
    evidence: { kind: "runs", over: other.rates, under: earlier.rates, better: "higher" },
    marks: distinct([...earlier.marks, ...other.marks]),
  }));
  const single = under.length === 1 && over.length === 1;
  const comparisons = single
    ? inputs.map((one) => noVerdict(one, [mark("single-runs", SINGLE_RUNS), ...one.marks]))
    : judgeFamily(inputs, { solo: floor }, looks).comparisons;
  const across = acrossMachines([...under, ...over]);
  const environment = [...under.slice(1), ...over].flatMap((run) => environmentDifferences(under[0]!, run));
  return {
    environment: [...new Set(environment)],
    paired: false,
    cpus: [...new Set([...under, ...over].map(({ run }) => run.machine.cpu_kind))],
    across: "cause" in across ? null : across,
    delta: single || floor.kind === "unknown" ? null : floor.delta,
    ceiling: drifts.length === 0 ? null : geometricMean(drifts),
    cells: shared.map(({ earlier, other }, n) => {
      const [comparison, rates] = [comparisons[n]!, { over: other.shown, under: earlier.shown }];
      const plain = rates.over === null || rates.under === null ? null : rates.over / rates.under;
      return { cell: earlier.name, point: earlier.point, ...rates, ratio: comparison.ratio ?? plain, comparison };
    }),
    ...apart(before.cards, after.cards),
  };
}

/** The runs of a side, with the cards and the rates of each. */
function sideOf(runs: readonly ComparedRun[], keyOf: PointKey) {
  const parts = runs.map((run) => {
    const before = known.get(run);
    const read = before?.keyOf === keyOf
      ? before
      : { keyOf, cards: cardsOf(run, keyOf), solo: sortLines(run.lines).solo };
    known.set(run, read);
    return read;
  });
  return { runs, cards: parts.map(({ cards }) => cards), solo: parts.map(({ solo }) => solo) };
}

/** Made once: in a row of runs each is on a side of many comparisons. */
const known = new WeakMap<
  ComparedRun,
  { readonly keyOf: PointKey; readonly cards: Cards; readonly solo: Lines["solo"] }
>();

/** Combines all runs of a side for one point; null if one of them did not measure it. */
function sharedCell({ runs, cards, solo }: ReturnType<typeof sideOf>, point: string) {
  const ofCell = cards.flatMap((each) => each.get(point) ?? []);
  if (ofCell.length < runs.length) return null;
  const { name, cell } = ofCell[0]!;
  const alone = ofCell.map((card, n) => solo[n]!.get(cellKey(card.cell)) ?? []);
  return {
    name,
    point: cell.point,
    key: point,
    // One value a run: the geometric mean of its ok observations.
    rates: alone.map((observations) => observations.flatMap((one) => rateOf(one) ?? [])).filter((rates) =>
      rates.length > 0
    )
      .map(geometricMean),
    shown: shownRate(ofCell),
    marks: ofCell.flatMap((card, n) => marksOf(card, runs[n]!, alone[n]!)),
  };
}

/** The rate of a side's cards as people see it. */
function shownRate(cards: readonly Speed[]): number | null {
  const rates = cards.flatMap(({ requests_per_second }) => requests_per_second ?? []);
  return rates.length === 0 ? null : geometricMean(rates);
}

/** The cards of a run by the key of their points, without those of points that cannot be. */
export function cardsOf({ cards, label }: ComparedRun, keyOf: PointKey): ReadonlyMap<string, CellFigures> {
  const kept = cards.filter((card) => card.cell.label === label && !isUnsupported(card));
  return new Map(kept.map((card) => [keyOf(card.cell.point), card]));
}

type Cards = ReadonlyMap<string, CellFigures>;

/** Names of what one side measured and not every run of the other did. */
function apart(under: readonly Cards[], over: readonly Cards[]) {
  const only = (these: readonly Cards[], others: readonly Cards[]) =>
    [...new Map(these.flatMap((cards) => [...cards]))].filter(([key]) => others.some((cards) => !cards.has(key)))
      .map(([_, { name }]) => name);
  return { onlyOver: only(over, under), onlyUnder: only(under, over) };
}

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

/** The generator's ceiling in the runs over that in those under them, by cell they share. */
function ceilingRatios(
  under: readonly ComparedRun[],
  over: readonly ComparedRun[],
  shared: readonly { readonly earlier: { readonly key: string }; readonly other: { readonly key: string } }[],
  keyOf: PointKey,
): number[] {
  const [before, after] = [under, over].map((side) => side.map((run) => ceilingsOf(run, keyOf)));
  return shared.flatMap(({ earlier, other }) => {
    const [from, to] = [
      before!.flatMap((of) => of.get(earlier.key) ?? []),
      after!.flatMap((of) => of.get(other.key) ?? []),
    ];
    return from.length === 0 || to.length === 0 ? [] : geometricMean(to) / geometricMean(from);
  });
}

/** The generator's ceiling with the requests of each cell of the compared label, by the key of its point. */
function ceilingsOf({ run: { plan }, summary, label }: ComparedRun, keyOf: PointKey): Map<string, number> {
  return new Map(plan.ceilings.flatMap(({ stands_for }, n) => {
    const rate = summary.ceilings[n]?.requests_per_second ?? null;
    const cells = stands_for.map((place) => plan.cells[place]!).filter((cell) => cell.label === label);
    return rate === null ? [] : cells.map(({ point }) => [keyOf(point), rate] as const);
  }));
}

/** Marks without those whose text has come before. */
const distinct = (marks: readonly Mark[]): Mark[] =>
  marks.filter(({ text }, n) => n === marks.findIndex((one) => one.text === text));

/** Returns the marks that keep a cell of one run from a verdict: its status, another limit than the server, its own. */
function marksOf(card: CellFigures, { summary, run }: ComparedRun, alone: readonly Solo[]): Mark[] {
  const { name } = card;
  const marks = summary.cells.find((cell) => cell.name === name)?.marks ?? [];
  return [
    ...statusMarks(card),
    ...rateMarks(card, isInTurn(run.plan, alone)),
    ...marks.filter(({ effect }) => effect === "withholds"),
  ];
}
