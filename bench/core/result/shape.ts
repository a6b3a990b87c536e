import { cellName } from "../cell.ts";
import { AA } from "../plan.ts";
import { publishedRate } from "../published-references.ts";
import { median } from "../statistics/median.ts";
import { formatSize } from "../units.ts";
import type { JournalLine } from "./journal-line.ts";
import type { Summary } from "./summary.ts";
import type { TrialRecord } from "./trial-record.ts";

/** One check of a run's shape. */
export interface ShapeCheck {
  readonly name: string;
  readonly holds: "yes" | "no" | "unknown";
  /** What was seen, and what was expected of it. */
  readonly seen: string;
  readonly expected: string;
}

/** Stores that the tutorial expects to stay flat, and what they may lose over two decades. */
const FLAT = ["map", "binary", "sqlite", "drizzle"];
const FLAT_LOSS = 0.3;
/** The tutorial's range for map over sqlite; below it sqlite is better than expected, which is no fault. */
const MAP_BY_SQLITE = 2;
/** A tenfold data set may cost a scan between 5 and 15 times: fixed costs weigh at small sizes, caches at large ones. */
const LINEAR_FALL = { least: 5, most: 15 };

/** The tutorial's sanity checks, and each store's scaling against its declared complexity, for every runtime. */
export function shapeOf(journal: readonly JournalLine[], summary: Summary): ShapeCheck[] {
  const trials = journal.filter((line) => line.schema === "levelfield.trial/1")
    .filter((trial) => trial.label !== AA && trial.status === "ok");
  const rates = new Map<string, number>();
  for (const [name, group] of Map.groupBy(trials, (trial) => cellName(trial.cell))) {
    rates.set(name, median(group.map((trial) => trial.load!.requests_per_second)));
  }
  const runtimes = [...new Set(trials.map((trial) => trial.cell.runtime))];
  const sizes = [...new Set(trials.map((trial) => trial.cell.size))].sort((a, b) => a - b);
  const rate = (runtime: string, store: string, size: number) => rates.get(nameOf(trials, runtime, store, size));
  return [
    ...runtimes.flatMap((runtime) => flatness(runtime, sizes, rate)),
    ...runtimes.flatMap((runtime) => sqliteAgainstMap(runtime, sizes, rate)),
    ...runtimes.flatMap((runtime) => linearFall(runtime, sizes, rate)),
    ...summary.scaling.map(scaling),
  ];
}

/** `, published 0.96`: the same ratio in the tutorial, or nothing where it has none. */
function publishedRatio(over: readonly [string, number], under: readonly [string, number], digits: number): string {
  const [a, b] = [publishedRate(...over), publishedRate(...under)];
  return a === undefined || b === undefined ? "" : `, published ${(a / b).toFixed(digits)}`;
}

type Rate = (runtime: string, store: string, size: number) => number | undefined;

function nameOf(trials: readonly TrialRecord[], runtime: string, store: string, size: number): string {
  const { suite, workload } = trials[0]!.cell;
  return cellName({ suite, workload, runtime, store, size });
}

function flatness(runtime: string, sizes: readonly number[], rate: Rate): ShapeCheck[] {
  const [small, large] = [sizes[0]!, sizes.at(-1)!];
  if (large < 10 * small) return [];
  return FLAT.flatMap((store) => {
    const [from, to] = [rate(runtime, store, small), rate(runtime, store, large)];
    if (from === undefined || to === undefined) return [];
    const theirs = publishedRatio([store, large], [store, small], 2);
    return [{
      name: `${runtime}/${store} stays flat`,
      holds: to / from >= 1 - FLAT_LOSS ? "yes" as const : "no" as const,
      seen: `${formatSize(large)} over ${formatSize(small)}: ${(to / from).toFixed(2)}`,
      expected: `at least ${(1 - FLAT_LOSS).toFixed(2)}${theirs}`,
    }];
  });
}

function sqliteAgainstMap(runtime: string, sizes: readonly number[], rate: Rate): ShapeCheck[] {
  return sizes.flatMap((size) => {
    const [map, sqlite] = [rate(runtime, "map", size), rate(runtime, "sqlite", size)];
    if (map === undefined || sqlite === undefined) return [];
    const theirs = publishedRatio(["map", size], ["sqlite", size], 2);
    return [{
      name: `${runtime}: map and sqlite near each other at ${formatSize(size)}`,
      holds: map / sqlite <= MAP_BY_SQLITE ? "yes" as const : "no" as const,
      seen: `map over sqlite: ${(map / sqlite).toFixed(2)}`,
      expected: `at most ${MAP_BY_SQLITE}${theirs}; 10 would mean that WAL did not take effect`,
    }];
  });
}

function linearFall(runtime: string, sizes: readonly number[], rate: Rate): ShapeCheck[] {
  return sizes.flatMap((size, index) => {
    const next = sizes[index + 1];
    if (next === undefined || next !== 10 * size) return [];
    const [from, to] = [rate(runtime, "linear", size), rate(runtime, "linear", next)];
    if (from === undefined || to === undefined) return [];
    const fall = from / to;
    const theirs = publishedRatio(["linear", size], ["linear", next], 1);
    return [{
      name: `${runtime}/linear falls tenfold from ${formatSize(size)} to ${formatSize(next)}`,
      holds: fall >= LINEAR_FALL.least && fall <= LINEAR_FALL.most ? "yes" as const : "no" as const,
      seen: `${fall.toFixed(1)} times`,
      expected: `${LINEAR_FALL.least} to ${LINEAR_FALL.most} times${theirs}`,
    }];
  });
}

function scaling(entry: Summary["scaling"][number]): ShapeCheck {
  const { runtime, store, label, complexity, exponent, interval, check, reason } = entry;
  return {
    name: `${runtime}/${store}${label === "main" ? "" : `@${label}`} scales as ${complexity}`,
    holds: check === "fits" ? "yes" : check === "does-not-fit" ? "no" : "unknown",
    seen: exponent === null || interval === null
      ? reason ?? "no estimate"
      : `req/s ~ n^${exponent.toFixed(3)} [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`,
    expected: check === "unknown" && exponent !== null ? reason ?? complexity : complexity,
  };
}
