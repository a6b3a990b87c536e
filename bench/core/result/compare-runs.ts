import { cellKey, pointKey, pointName } from "../cell.ts";
import type { Cell } from "../cell-schema.ts";
import type { NoiseFloor } from "../statistics/noise-floor.ts";
import { type Contest, judgeFamily } from "../statistics/verdict.ts";
import { type CellCard, isUnsupported, makeCellCards } from "./cell-card.ts";
import { entryOf } from "./judged-families.ts";
import { rateOf, sortLines } from "./lines.ts";
import type { Observation } from "./observation-record.ts";
import { differences, filesOf } from "./run-changes.ts";
import type { RunRecord } from "./run-record.ts";
import type { Summary, VerdictEntry } from "./summary.ts";

/** One side of a comparison: a run, and which of its labels. */
export interface ComparedRun {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  readonly summary: Summary;
  readonly label: string;
}

/** A point that both sides measured. */
export interface ComparedCell {
  /** Its name in a, for people; without a label where two labels of one run are compared. */
  readonly cell: string;
  readonly point: Cell["point"];
  /** Medians in requests a second; null without an ok observation. */
  readonly a: number | null;
  readonly b: number | null;
  readonly verdict: VerdictEntry;
}

/** Two runs, or two labels of one, held against each other. */
export interface RunComparison {
  /** What differs between them besides their figures, in words. */
  readonly environment: readonly string[];
  /** Whether rounds of both belong together: then what drifts cancels. */
  readonly paired: boolean;
  /** Differences below this share are not believed. */
  readonly delta: number | null;
  readonly cells: readonly ComparedCell[];
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}

/** Holds two runs, or two labels of one run, against each other cell by cell; all cells are one family. */
export function compareRuns(a: ComparedRun, b: ComparedRun): RunComparison {
  return a.run.run === b.run.run && a.label !== b.label ? compareLabels(a, b) : compareApart(a, b);
}

function compareLabels(a: ComparedRun, b: ComparedRun): RunComparison {
  const [first, second] = [cardsOf(a), cardsOf(b)];
  const cellOf = new Map(a.summary.cells.map(({ name, cell }) => [name, cell]));
  const verdicts = a.summary.families.filter(({ kind }) => kind === "label").flatMap((family) => family.verdicts);
  const floor = a.summary.noise_floor.duet.kind === "unknown" ? a.summary.noise_floor.solo : a.summary.noise_floor.duet;
  return {
    environment: [],
    paired: true,
    delta: floor.kind === "unknown" ? null : floor.delta,
    cells: verdicts.flatMap((entry): ComparedCell[] => {
      const [x, y] = [cellOf.get(entry.a)!, cellOf.get(entry.b)!];
      const turned = x.label === b.label && y.label === a.label;
      if (!turned && (x.label !== a.label || y.label !== b.label)) return [];
      const verdict = turned ? turn(entry) : entry;
      const key = pointKey(x.point);
      const rate = (cards: ReadonlyMap<string, CellCard>) => cards.get(key)?.requests_per_second ?? null;
      return [{ cell: pointName(a.run.plan.axes, x.point), point: x.point, a: rate(first), b: rate(second), verdict }];
    }),
    ...apart(first, second),
  };
}

/** Different runs: their rounds do not belong together, so what changed between them widens the margin. */
function compareApart(a: ComparedRun, b: ComparedRun): RunComparison {
  const [first, second] = [cardsOf(a), cardsOf(b)];
  const shared = [...first].flatMap(([key, card]) => {
    const other = second.get(key);
    return other === undefined ? [] : [[card, other] as const];
  });
  const floor = commonFloor(a, b, shared);
  const rates = [a, b].map(ratesOf);
  const contests = shared.map(([x, y]): Contest => ({
    a: x.name,
    b: y.name,
    basis: "solo",
    better: "higher",
    pairs: { a: rates[0]!.get(cellKey(x.cell)) ?? [], b: rates[1]!.get(cellKey(y.cell)) ?? [] },
    objections: [...objectionsTo(x, a), ...objectionsTo(y, b)],
  }));
  const verdicts = judgeFamily(contests, { solo: floor });
  return {
    environment: environmentDifferences(a.run, b.run),
    paired: false,
    delta: floor.kind === "unknown" ? null : floor.delta,
    cells: shared.map(([x, y], index) => ({
      cell: x.name,
      point: x.cell.point,
      a: x.requests_per_second,
      b: y.requests_per_second,
      verdict: entryOf(verdicts[index]!),
    })),
    ...apart(first, second),
  };
}

/** The cards of a side by the key of their points, without those of points that cannot be. */
function cardsOf({ run, lines, label }: ComparedRun): ReadonlyMap<string, CellCard> {
  const own = makeCellCards(run, lines).filter((card) => card.cell.label === label && !isUnsupported(card));
  return new Map(own.map((card) => [pointKey(card.cell.point), card]));
}

/** Names of what only one side measured. */
function apart(a: ReadonlyMap<string, CellCard>, b: ReadonlyMap<string, CellCard>) {
  const only = (own: ReadonlyMap<string, CellCard>, other: ReadonlyMap<string, CellCard>) =>
    [...own].filter(([key]) => !other.has(key)).map(([_, { name }]) => name);
  return { onlyInA: only(a, b), onlyInB: only(b, a) };
}

/**
 * The noise floor of two runs together: the larger of theirs, and what the generator's ceiling moved by between them, for
 * the kinds of request they share. The ceiling uses no code that either run measures, so its change is the machine's.
 */
function commonFloor(a: ComparedRun, b: ComparedRun, shared: readonly (readonly [CellCard, CellCard])[]): NoiseFloor {
  const [x, y] = [a.summary.noise_floor.solo, b.summary.noise_floor.solo];
  if (x.kind === "unknown") return x;
  if (y.kind === "unknown") return y;
  const [before, after] = [a, b].map(ceilingsOf) as [Map<string, number>, Map<string, number>];
  const drifts = shared.flatMap(([own, other]) => {
    const [from, to] = [before.get(cellKey(own.cell)), after.get(cellKey(other.cell))];
    return from === undefined || to === undefined ? [] : Math.abs(Math.log(from / to));
  });
  if (drifts.length === 0) return { kind: "unknown", reason: "a run has no ceiling to tell drift by" };
  return {
    kind: x.kind === "different" || y.kind === "different" ? "different" : "agree",
    delta: Math.max(x.delta, y.delta, Math.expm1(Math.max(...drifts))),
    bound: Math.max(x.bound, y.bound),
    p: Math.min(x.p, y.p),
    pairs: x.pairs + y.pairs,
  };
}

/** The generator's ceiling with the requests of each cell, by the cell's key. */
function ceilingsOf({ run: { plan }, summary }: ComparedRun): Map<string, number> {
  return new Map(plan.ceilings.flatMap(({ stands_for }, n) => {
    const rate = summary.ceilings[n]?.requests_per_second ?? null;
    return rate === null ? [] : stands_for.map((place) => [cellKey(plan.cells[place]!), rate] as const);
  }));
}

/** Rates of a run's ok observations in requests a second, by the key of their cells. */
function ratesOf({ lines }: ComparedRun): Map<string, number[]> {
  return new Map([...sortLines(lines).solo].map(([key, own]) => [key, own.flatMap((one) => rateOf(one) ?? [])]));
}

/** Why a cell of one run must not be judged: a bad observation, a limit other than the server, a flag that objects. */
function objectionsTo({ name, status, bound, reasons }: CellCard, { summary }: ComparedRun): string[] {
  const flags = summary.cells.find((cell) => cell.name === name)?.flags ?? [];
  return [
    ...(status === "ok" ? [] : [`${name} is ${status}: ${reasons[0]?.message ?? ""}`]),
    ...(status === "ok" && bound !== "server" ? [`${name} is not server-bound but ${bound}`] : []),
    ...flags.filter(({ objection }) => objection).map(({ message }) => message),
  ];
}

/** What differs between the environments of two runs, in words, what explains most first. */
export function environmentDifferences(a: RunRecord, b: RunRecord): string[] {
  const parts = [
    ["machine", "machine"],
    ["runtimes", "runtime"],
    ["generator", "load generator"],
    ["placement", "CPUs"],
    ["grade", "grade"],
    ["levelfield", "Levelfield"],
  ] as const;
  return [
    ...parts.flatMap(([part, name]) => differences(a[part], b[part], "").map((text) => `${name}: ${text}`)),
    ...differences(filesOf(a), filesOf(b), "").map((text) => `files: ${text}`),
    ...differences(planFacts(a), planFacts(b), "").map((text) => `plan: ${text}`),
  ];
}

/** What a plan is, for people: values of axes in place of cells, without what only orders and names things. */
function planFacts({ plan, generator_threads }: RunRecord) {
  const { suite, axes, rounds, duration_ms, ensemble_ms, warmup_ms, warmup_loads, generator } = plan;
  const values = axes.map(({ title, values }) => [title, values.map(({ text }) => text).join(", ")]);
  const how = { rounds, duration_ms, ensemble_ms, warmup_ms, warmup_loads, generator, generator_threads };
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
