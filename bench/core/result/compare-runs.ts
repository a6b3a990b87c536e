import { cellName } from "../cell.ts";
import { MAIN } from "../plan.ts";
import { median } from "../statistics/median.ts";
import type { NoiseFloor } from "../statistics/noise-floor.ts";
import { type Contest, judgeFamily } from "../statistics/verdict.ts";
import { makeCellCard } from "./cell-card.ts";
import type { JournalLine } from "./journal-line.ts";
import { differences } from "./run-changes.ts";
import type { RunRecord } from "./run-record.ts";
import { entryOf } from "./summarise.ts";
import type { Summary, VerdictEntry } from "./summary.ts";
import type { TrialRecord } from "./trial-record.ts";

/** One side of a comparison: a run, and which of its labels. */
export interface ComparedRun {
  readonly run: RunRecord;
  readonly lines: readonly JournalLine[];
  readonly summary: Summary;
  readonly label: string;
}

/** Two runs, or two labels of one, held against each other. */
export interface RunComparison {
  /** What differs between them besides their figures, in words. */
  readonly environment: readonly string[];
  /** Whether rounds of both belong together: then what drifts cancels. */
  readonly paired: boolean;
  /** Differences below this share are not believed. */
  readonly delta: number | null;
  readonly cells: readonly {
    readonly cell: string;
    /** Medians in requests a second; null without an ok trial. */
    readonly a: number | null;
    readonly b: number | null;
    readonly verdict: VerdictEntry;
  }[];
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}

/** Holds two runs, or two labels of one run, against each other cell by cell; all cells are one family. */
export function compareRuns(a: ComparedRun, b: ComparedRun): RunComparison {
  return a.run.run === b.run.run && a.label !== b.label ? compareLabels(a, b) : compareApart(a, b);
}

function compareLabels(a: ComparedRun, b: ComparedRun): RunComparison {
  const names = [a, b].map(({ run, label }) =>
    new Set(run.plan.subjects.filter((subject) => subject.label === label).map(({ cell }) => cellName(cell)))
  ) as [Set<string>, Set<string>];
  const found = a.summary.families.filter((family) => family.purpose === "labels").flatMap((family) =>
    family.verdicts.flatMap((entry) => {
      const turned = labelOf(entry.a) === b.label && labelOf(entry.b) === a.label;
      if (!turned && (labelOf(entry.a) !== a.label || labelOf(entry.b) !== b.label)) return [];
      return [{ cell: entry.a.replace(/@[^/]+$/, ""), verdict: turned ? turn(entry) : entry }];
    })
  );
  const [first, second] = [trialsByCell(a), trialsByCell(b)];
  const floor = a.summary.noise_floor.duet.kind === "unknown" ? a.summary.noise_floor.solo : a.summary.noise_floor.duet;
  return {
    environment: [],
    paired: true,
    delta: floor.kind === "unknown" ? null : floor.delta,
    cells: found.map(({ cell, verdict }) => ({
      cell,
      a: medianOf(first.get(cell)),
      b: medianOf(second.get(cell)),
      verdict,
    })),
    onlyInA: [...names[0]].filter((name) => !names[1].has(name)),
    onlyInB: [...names[1]].filter((name) => !names[0].has(name)),
  };
}

/** Different runs: their rounds do not belong together, so what changed between them widens the margin. */
function compareApart(a: ComparedRun, b: ComparedRun): RunComparison {
  const [first, second] = [trialsByCell(a), trialsByCell(b)];
  const floor = commonFloor(a.summary, b.summary);
  const shared = [...first.keys()].filter((name) => second.has(name));
  const contests = shared.map((name): Contest => ({
    a: name,
    b: name,
    basis: "solo",
    better: "higher",
    pairs: { a: ratesOf(first.get(name)!), b: ratesOf(second.get(name)!) },
    objections: [...objectionsOf(a, name, first.get(name)!), ...objectionsOf(b, name, second.get(name)!)],
  }));
  const verdicts = judgeFamily(contests, { solo: floor });
  return {
    environment: environmentDifferences(a.run, b.run),
    paired: false,
    delta: floor.kind === "unknown" ? null : floor.delta,
    cells: shared.map((cell, index) => ({
      cell,
      a: medianOf(first.get(cell)),
      b: medianOf(second.get(cell)),
      verdict: entryOf(verdicts[index]!),
    })),
    onlyInA: [...first.keys()].filter((name) => !second.has(name)),
    onlyInB: [...second.keys()].filter((name) => !first.has(name)),
  };
}

/**
 * The noise floor of two runs together: the larger of theirs, and what the generator's ceiling moved by between them. The
 * ceiling uses no code that either run measures, so its change is the machine's.
 */
function commonFloor(a: Summary, b: Summary): NoiseFloor {
  const [x, y] = [a.noise_floor.solo, b.noise_floor.solo];
  if (x.kind === "unknown") return x;
  if (y.kind === "unknown") return y;
  const [from, to] = [a.ceiling_requests_per_second, b.ceiling_requests_per_second];
  if (from === null || to === null) return { kind: "unknown", reason: "a run has no ceiling to tell drift by" };
  const drift = Math.abs(Math.log(from / to));
  return {
    kind: x.kind === "different" || y.kind === "different" ? "different" : "agree",
    delta: Math.max(x.delta, y.delta, Math.expm1(drift)),
    bound: Math.max(x.bound, y.bound),
    p: Math.min(x.p, y.p),
    pairs: x.pairs + y.pairs,
  };
}

/** The trials of a side, by cell. */
function trialsByCell({ lines, label }: ComparedRun): Map<string, TrialRecord[]> {
  const trials = lines.filter((line) => line.schema === "levelfield.trial/1").filter((trial) => trial.label === label);
  return Map.groupBy(trials, ({ cell }) => cellName(cell));
}

function ratesOf(trials: readonly TrialRecord[]): number[] {
  return trials.filter((trial) => trial.status === "ok").map((trial) => trial.load!.requests_per_second);
}

/** Why a cell of one run must not be judged: a bad trial, a limit other than the server, a flag that objects. */
function objectionsOf({ run, summary, label }: ComparedRun, name: string, trials: readonly TrialRecord[]): string[] {
  const entry = summary.cells.find((one) => cellName(one.cell) === name && one.label === label);
  const card = makeCellCard(run.run, trials);
  return [
    ...(card.status === "ok" ? [] : [`${name} is ${card.status}: ${card.reasons[0]?.message ?? ""}`]),
    ...(card.status === "ok" && card.bound !== "server" ? [`${name} is not server-bound but ${card.bound}`] : []),
    ...(entry?.flags.filter((flag) => flag.objection).map((flag) => flag.message) ?? []),
  ];
}

/** Median rate of a cell's ok trials in requests a second; null without one. */
function medianOf(trials: readonly TrialRecord[] = []): number | null {
  const rates = ratesOf(trials);
  return rates.length === 0 ? null : median(rates);
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
    ["data_sets", "data sets"],
  ] as const;
  const plan = (run: RunRecord) => {
    const { subjects: _, duets: __, seed: ___, profile: ____, ...rest } = run.plan;
    return rest;
  };
  return [
    ...parts.flatMap(([part, name]) => differences(a[part], b[part], "").map((text) => `${name}: ${text}`)),
    ...differences(plan(a), plan(b), "").map((text) => `plan: ${text}`),
  ];
}

/** A runtime's name may hold an "@" too, so a subject's label is what follows one after the last slash. */
const labelOf = (subject: string) => /[^/@]+@([^/]+)$/.exec(subject)?.[1] ?? MAIN;

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
