import { cellKey, pointKey, pointName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { expm1, geometricMean, log } from "../statistics/logarithms.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { type Contest, type Floor, judgeFamily, type NoVerdict } from "../statistics/verdict.ts";
import { type CellCard, isUnsupported, makeCellCards } from "./cell-card.ts";
import { limitText } from "../judge/bound.ts";
import { entryOf } from "./judged-families.ts";
import { rateOf, sortLines } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import { differences, filesOf } from "./run-changes.ts";
import type { RunRecord } from "../record/run-record.ts";
import { SINGLE_RUNS } from "./single-runs.ts";
import type { Summary, VerdictEntry } from "../record/summary.ts";

/** A run, and which of its labels is compared. */
export interface ComparedRun {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  readonly summary: Summary;
  readonly label: string;
}

/** One side of a comparison: a run, or several of the same thing. */
export type ComparedSide = ComparedRun | readonly ComparedRun[];

/** A point that both sides measured. */
export interface ComparedCell {
  /** Its name in a, for people; without a label where two labels of one run are compared. */
  readonly cell: string;
  readonly point: Cell["point"];
  /** Requests a second, the median over a run's rounds and the geometric mean over runs; null without an ok observation. */
  readonly a: number | null;
  readonly b: number | null;
  /** Speed of a over speed of b: as judged, else the ratio of both rates; null where one of them has none. */
  readonly ratio: number | null;
  readonly verdict: VerdictEntry;
}

/** Two sides held against each other. */
export interface RunComparison {
  /** What differs between them besides their figures, in words. */
  readonly environment: readonly string[];
  /** Whether rounds of both belong together: then what drifts cancels. */
  readonly paired: boolean;
  /** Differences below this share are not believed. */
  readonly delta: number | null;
  /** The load generator's ceiling in b over that in a: what the machine's own speed did; null where it was not measured. */
  readonly ceiling: number | null;
  readonly cells: readonly ComparedCell[];
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}

/** Holds two sides against each other cell by cell; all cells are one family. */
export function compareRuns(a: ComparedSide, b: ComparedSide): RunComparison {
  const [first, second] = [runsOf(a), runsOf(b)];
  return isPaired(a, b) ? compareLabels(first[0]!, second[0]!) : compareApart(first, second);
}

/** Whether both sides are labels of one run, whose rounds belong together. */
export function isPaired(a: ComparedSide, b: ComparedSide): boolean {
  const [first, second] = [runsOf(a), runsOf(b)];
  return first.length === 1 && second.length === 1 && first[0]!.run.run === second[0]!.run.run &&
    first[0]!.label !== second[0]!.label;
}

/** The runs of a side. */
export function runsOf(side: ComparedSide): readonly ComparedRun[] {
  return "run" in side ? [side] : side;
}

function compareLabels(a: ComparedRun, b: ComparedRun): RunComparison {
  const [first, second] = [cardsOf(a), cardsOf(b)];
  const cellOf = new Map(a.summary.cells.map(({ name, cell }) => [name, cell]));
  const verdicts = a.summary.families.filter(({ kind }) => kind === "label").flatMap((family) => family.verdicts);
  const deltas = verdicts.flatMap((entry) => entry.verdict === "no-verdict" ? [] : entry.delta);
  return {
    environment: [],
    paired: true,
    delta: deltas.length === 0 ? null : Math.max(...deltas),
    ceiling: null,
    cells: verdicts.flatMap((entry): ComparedCell[] => {
      const [x, y] = [cellOf.get(entry.a)!, cellOf.get(entry.b)!];
      const turned = x.label === b.label && y.label === a.label;
      if (!turned && (x.label !== a.label || y.label !== b.label)) return [];
      const verdict = turned ? turn(entry) : entry;
      const key = pointKey(x.point);
      const rate = (cards: ReadonlyMap<string, CellCard>) => cards.get(key)?.requests_per_second ?? null;
      return [{
        cell: pointName(a.run.plan.axes, x.point),
        point: x.point,
        a: rate(first),
        b: rate(second),
        ratio: verdict.verdict === "no-verdict" ? null : verdict.ratio,
        verdict,
      }];
    }),
    ...apart([first], [second]),
  };
}

/**
 * Different runs: their rounds do not belong together, and rounds of one run tell how it went, not how another would.
 * So a run is one value, the mean of its log rates, and a side needs several; what changed between the sides widens the
 * margin.
 */
function compareApart(a: readonly ComparedRun[], b: readonly ComparedRun[]): RunComparison {
  const [cardsA, cardsB] = [a.map(cardsOf), b.map(cardsOf)];
  const shared = [...cardsA[0]!].flatMap(([key, card]) => {
    const [own, others] = [cardsA, cardsB].map((side) => side.flatMap((cards) => cards.get(key) ?? []));
    return own!.length < a.length || others!.length < b.length ? [] : [{ card, own: own!, others: others! }];
  });
  const [ratesA, ratesB] = [a, b].map((side) => side.map(ratesOf));
  const cells = shared.map(({ card, own, others }) => {
    const rates = [[ratesA!, own] as const, [ratesB!, others] as const].map(([rates, cards]) =>
      cards.flatMap((card, n) => rates[n]!.get(cellKey(card.cell)) ?? [])
    );
    return {
      card,
      rates,
      names: [card.name, others[0]!.name] as const,
      keys: [own[0]!, others[0]!].map(({ cell }) => cellKey(cell)) as [string, string],
      shown: [own, others].map(shownRate) as [number | null, number | null],
      objections: [
        ...own.flatMap((card, n) => objectionsTo(card, a[n]!)),
        ...others.flatMap((card, n) => objectionsTo(card, b[n]!)),
      ],
    };
  });
  const floor = commonFloor(a, b, cells.map(({ keys }) => keys));
  const contests = cells.map(({ names, rates, objections }): Contest => ({
    a: names[0],
    b: names[1],
    basis: "solo",
    evidence: { kind: "runs", a: rates[0]!, b: rates[1]!, better: "higher" },
    objections: [...new Set(objections)],
  }));
  const single = a.length === 1 && b.length === 1;
  const verdicts = single ? contests.map(singleVerdict) : judgeFamily(contests, { solo: floor }).verdicts;
  return {
    environment: [...new Set([...a.slice(1), ...b].flatMap(({ run }) => environmentDifferences(a[0]!.run, run)))],
    paired: false,
    delta: single || floor.kind === "unknown" ? null : floor.delta,
    ceiling: ceilingRatio(a, b, cells.map(({ keys }) => keys)),
    cells: cells.map(({ card, shown: [ofA, ofB] }, index) => {
      const verdict = entryOf(verdicts[index]!);
      const beside = ofA === null || ofB === null ? null : ofA / ofB;
      return {
        cell: card.name,
        point: card.cell.point,
        a: ofA,
        b: ofB,
        ratio: verdict.verdict === "no-verdict" ? beside : verdict.ratio,
        verdict,
      };
    }),
    ...apart(cardsA, cardsB),
  };
}

function singleVerdict({ a, b, basis, objections }: Contest): NoVerdict {
  return { kind: "no-verdict", a, b, basis, cause: "too-few-runs", reasons: [SINGLE_RUNS, ...objections] };
}

/** The rate of a side's cards as people see it. */
function shownRate(cards: readonly CellCard[]): number | null {
  const rates = cards.flatMap(({ requests_per_second }) => requests_per_second ?? []);
  return rates.length === 0 ? null : geometricMean(rates);
}

/** The cards of a run by the key of their points, without those of points that cannot be. */
function cardsOf({ run, lines, label }: ComparedRun): ReadonlyMap<string, CellCard> {
  const own = makeCellCards(run, lines).filter((card) => card.cell.label === label && !isUnsupported(card));
  return new Map(own.map((card) => [pointKey(card.cell.point), card]));
}

type Cards = ReadonlyMap<string, CellCard>;

/** Names of what one side measured and not every run of the other did. */
function apart(a: readonly Cards[], b: readonly Cards[]) {
  const only = (own: readonly Cards[], others: readonly Cards[]) =>
    [...new Map(own.flatMap((cards) => [...cards]))].filter(([key]) => others.some((cards) => !cards.has(key)))
      .map(([_, { name }]) => name);
  return { onlyInA: only(a, b), onlyInB: only(b, a) };
}

/**
 * What differences between sides are not to be believed: what the generator's ceiling moved by between them, for the
 * kinds of request they share. The ceiling uses no code that either side measures, so its change is the machine's. How
 * runs of a side differ among themselves is in the interval.
 */
function commonFloor(
  a: readonly ComparedRun[],
  b: readonly ComparedRun[],
  keys: readonly (readonly [string, string])[],
): Floor {
  const contradicted = [...a, ...b].find(({ summary }) => summary.noise_floor.solo.kind === "different");
  if (contradicted !== undefined) return { kind: "different", delta: 0 };
  const [before, after] = [a, b].map((side) => side.map(ceilingsOf));
  const drifts = keys.flatMap(([own, other]) => {
    const [from, to] = [before!.flatMap((of) => of.get(own) ?? []), after!.flatMap((of) => of.get(other) ?? [])];
    return from.length === 0 || to.length === 0 ? [] : Math.abs(log(geometricMean(from) / geometricMean(to)));
  });
  if (drifts.length === 0) return { kind: "unknown", reason: "a run has no ceiling to tell drift by" };
  return { kind: "agree", delta: Math.max(thresholds.leastDelta.value, expm1(Math.max(...drifts))) };
}

/** The generator's ceiling in b over that in a, the mean over the kinds of request they share. */
function ceilingRatio(
  a: readonly ComparedRun[],
  b: readonly ComparedRun[],
  keys: readonly (readonly [string, string])[],
): number | null {
  const [before, after] = [a, b].map((side) => side.map(ceilingsOf));
  const ratios = keys.flatMap(([own, other]) => {
    const [from, to] = [before!.flatMap((of) => of.get(own) ?? []), after!.flatMap((of) => of.get(other) ?? [])];
    return from.length === 0 || to.length === 0 ? [] : geometricMean(to) / geometricMean(from);
  });
  return ratios.length === 0 ? null : geometricMean(ratios);
}

/** The generator's ceiling with the requests of each cell, by the cell's key. */
function ceilingsOf({ run: { plan }, summary }: ComparedRun): Map<string, number> {
  return new Map(plan.ceilings.flatMap(({ stands_for }, n) => {
    const rate = summary.ceilings[n]?.requests_per_second ?? null;
    return rate === null ? [] : stands_for.map((place) => [cellKey(plan.cells[place]!), rate] as const);
  }));
}

/** The geometric mean of a run's ok observations in requests a second, by the key of their cells. */
function ratesOf({ lines }: ComparedRun): Map<string, number> {
  return new Map([...sortLines(lines).solo].flatMap(([key, own]) => {
    const rates = own.flatMap((one) => rateOf(one) ?? []);
    return rates.length === 0 ? [] : [[key, geometricMean(rates)] as const];
  }));
}

/** Why a cell of one run must not be judged: a bad observation, a limit other than the server, a flag that objects. */
function objectionsTo({ name, status, bound, reasons, open_loop }: CellCard, { summary }: ComparedRun): string[] {
  const flags = summary.cells.find((cell) => cell.name === name)?.flags ?? [];
  return [
    ...(status === "ok" ? [] : [`${name} is ${status}: ${reasons[0]?.message ?? ""}`]),
    ...(open_loop === undefined ? [] : [`${name} was sent a given rate, which says nothing of what it could do`]),
    ...(status === "ok" && open_loop === undefined && bound !== "server"
      ? [`${name} is limited by ${limitText(bound)}`]
      : []),
    ...flags.filter(({ objection }) => objection).map(({ message }) => message),
  ];
}

/** What differs between the environments of two runs, in words, what explains most first. */
export function environmentDifferences(a: RunRecord, b: RunRecord): string[] {
  const parts = [
    ["generator", "load generator"],
    ["placement", "CPUs"],
    ["grade", "grade"],
    ["levelfield", "Levelfield"],
  ] as const;
  return [
    ...differences(a.machine, b.machine, "").map((text) => `machine: ${text}`),
    ...differences(runtimeFacts(a), runtimeFacts(b), "").map((text) => `runtime: ${text}`),
    ...differences(a.hosts ?? {}, b.hosts ?? {}, "").map((text) => `hosts: ${text}`),
    ...parts.flatMap(([part, name]) => differences(a[part], b[part], "").map((text) => `${name}: ${text}`)),
    ...differences(filesOf(a), filesOf(b), "").map((text) => `files: ${text}`),
    ...differences(planFacts(a), planFacts(b), "").map((text) => `plan: ${text}`),
  ];
}

/** The runtimes by what the plan calls them: a version, where it comes from, its file. */
function runtimeFacts({ runtimes }: RunRecord) {
  return Object.fromEntries(
    runtimes.map((
      { label, version, origin, sha256 },
    ) => [label, `${version}, ${origin}, file ${sha256 ?? "not read"}`]),
  );
}

/** What a plan is, for people: values of axes in place of cells, without what only orders and names things. */
function planFacts({ plan, generator_threads }: RunRecord) {
  const { suite, axes, rounds, duration_ms, ensemble_ms, warmup, generator } = plan;
  const values = axes.map(({ title, values }) => [title, values.map(({ text }) => text).join(", ")]);
  const how = { rounds, duration_ms, ensemble_ms, warmup, generator, generator_threads };
  return { suite: suite.name, ...how, ...Object.fromEntries(values) };
}

/** A verdict seen from the other side. */
export function turn(entry: VerdictEntry): VerdictEntry {
  if (entry.verdict === "no-verdict") return { ...entry, a: entry.b, b: entry.a };
  return {
    ...entry,
    a: entry.b,
    b: entry.a,
    ratio: 1 / entry.ratio,
    interval: { low: 1 / entry.interval.high, high: 1 / entry.interval.low, level: entry.interval.level },
    winner: entry.winner === null ? null : entry.winner === "a" ? "b" : "a",
  };
}
