import { compareVersions } from "../plan/versions.ts";
import { comparisonOver } from "../record/inverse.ts";
import type { Judged } from "../record/verdicts.ts";
import { log } from "../statistics/logarithms.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { environmentChanges, type EnvironmentDifference, environmentText } from "./run-changes.ts";
import { suiteIdentity } from "./suite-identity.ts";
import type { CellFigures } from "../record/card.ts";
import { comparedPlaces, type ComparedRun, pointRows } from "./compare-runs.ts";

/** Runs a side that a step is judged by: few, as another change may be near, and more, which see smaller steps. */
const RUNS_A_SIDE = { least: thresholds.leastRuns.value, most: 6 };

/** A proven change of a cell's rate between runs. */
export interface TrackedStep {
  /** Place among the runs of the first after it. */
  readonly at: number;
  /** Places of the runs it rests on. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly step: Judged;
}

/** A cell from run to run. */
export interface TrackedCell {
  readonly cell: string;
  /** Its card in each run, in the order of the runs; null if one did not measure it. */
  readonly cards: readonly (CellFigures | null)[];
  readonly steps: readonly TrackedStep[];
}

/** Runs of one suite in a row, the oldest first. */
export interface Track {
  readonly suite: string;
  readonly runs: readonly {
    readonly run: string;
    readonly started_at: string;
    readonly changes: readonly string[];
    /** Versions or labels of this one run that are proven to differ: measured together, so that time takes no part. */
    readonly within: readonly Judged[];
  }[];
  readonly cells: readonly TrackedCell[];
  /** The number of times that earlier runs were compared with later ones. */
  readonly looks: number;
}

/**
 * Follows each cell from run to run. A step is a verdict between three runs before it and three after, or up to six, on
 * CPUs of one kind; all looks at all cells of a suite are one family, so that many runs do not make steps by chance. Of
 * steps less than three runs apart the largest is shown. A copy of a run counts once.
 */
export function trackRuns(runs: readonly ComparedRun[]): Track[] {
  const once = new Map(runs.map((one) => [`${one.run.started_at} ${one.run.run}`, one]));
  const inOrder = [...once].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
  const suites = Map.groupBy(inOrder, ({ run: { plan: { suite } } }) => JSON.stringify([suite.name, suite.module]));
  return [...suites.values()].map(trackOf);
}

function trackOf(runs: readonly ComparedRun[]): Track {
  const rows = pointRows(runs);
  const series = rows.map(({ seen }) => {
    const places = seen.flatMap((one, n) => one === null ? [] : [n]);
    return { cards: seen.map((one) => one?.card ?? null), list: places.join(), places };
  });
  const windowsBy = new Map(series.map(({ list, places }) => [list, windowsOf(runs, places)]));
  const looks = [...windowsBy.values()].reduce((sum, windows) => sum + windows.length, 0);
  const found = new Map([...windowsBy].map(([list, windows]) => [
    list,
    windows.map((window) => {
      const { cells } = comparedPlaces(runs, rows, window.before, window.after, looks);
      return { window, byName: new Map(cells.map(({ cell, comparison }) => [cell, comparison])) };
    }),
  ]));
  return {
    suite: runs[0]!.run.plan.suite.name,
    runs: runs.map(({ run, summary }, n) => ({
      run: run.run,
      started_at: run.started_at,
      changes: n === 0 ? [] : changesBetween(runs[n - 1]!, runs[n]!),
      within: stepsWithin({ run, summary }),
    })),
    cells: series.map(({ cards, list }) => {
      const steps = found.get(list)!.flatMap(({ window, byName }) => {
        const step = byName.get(cards[window.before[0]!]!.name);
        return step?.verdict === "faster" || step?.verdict === "slower" ? [{ ...window, step }] : [];
      });
      return { cell: cards.find((card) => card !== null)!.name, cards, steps: largest(steps) };
    }),
    looks,
  };
}

/** The runs on both sides of each place between them that has enough, all on one kind of CPU, few and many. */
function windowsOf(runs: readonly ComparedRun[], places: readonly number[]): Omit<TrackedStep, "step">[] {
  const { least, most } = RUNS_A_SIDE;
  return places.flatMap((at, n) => {
    const there = Math.min(most, n, places.length - n);
    return [...new Set([least, there])].flatMap((length) => {
      const [before, after] = [places.slice(n - length, n), places.slice(n, n + length)];
      const kinds = new Set([...before, ...after].map((place) => runs[place]!.run.machine.cpu_kind));
      return there < least || kinds.size > 1 ? [] : [{ at, before, after }];
    });
  });
}

/** Of steps near each other only the largest counts, then the one by most runs: looks next to a step contain it. */
function largest(steps: readonly TrackedStep[]): TrackedStep[] {
  const size = ({ step }: TrackedStep) => Math.abs(log(step.ratio));
  const kept: TrackedStep[] = [];
  const longest = [...new Map(steps.map((one) => [one.at, one])).values()];
  for (const one of longest.sort((a, b) => size(b) - size(a))) {
    if (kept.every(({ at }) => Math.abs(at - one.at) >= RUNS_A_SIDE.least)) kept.push(one);
  }
  return kept.sort((a, b) => a.at - b.at);
}

/** True for a part of an environment that differs each time and means little by itself. */
const isPassing = ({ part, path }: EnvironmentDifference) =>
  part === "levelfield" && path.startsWith("git_") || part === "grade" && path.split(".")[0] === "reasons";

function changesBetween(one: ComparedRun, other: ComparedRun): string[] {
  const source = suiteIdentity(one.run) === suiteIdentity(other.run) ? [] : ["source: what is measured changed"];
  const lasting = environmentChanges(one, other).filter((change) => !isPassing(change));
  return [...lasting.map(environmentText), ...source];
}

/** Proven differences between versions of a runtime, the newer over the older, and between labels of one run. */
function stepsWithin({ run, summary }: Pick<ComparedRun, "run" | "summary">): Judged[] {
  const cellOf = new Map(summary.cells.map(({ name, cell }) => [name, cell]));
  return summary.families.flatMap(({ kind, axis, comparisons }) =>
    comparisons.flatMap((one): Judged[] => {
      if (one.verdict !== "faster" && one.verdict !== "slower") return [];
      if (kind === "label") return [one];
      const [over, under] = [one.over, one.under].map((name) =>
        run.runtimes.find(({ label }) => axis !== null && label === cellOf.get(name)?.point.at[axis])
      );
      if (kind !== "axis" || over === undefined || over.name !== under?.name) return [];
      const isNewer = compareVersions(over.version, under.version) >= 0;
      return [comparisonOver(isNewer ? one.over : one.under, one) as Judged];
    })
  );
}
