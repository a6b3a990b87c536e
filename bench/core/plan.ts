import { type Cell, cellName } from "./cell.ts";
import { createRandom, shuffle } from "./random.ts";

/** One trial to make. */
export interface PlannedTrial {
  /** Place in the run, from 0. */
  readonly index: number;
  /** From 0. */
  readonly round: number;
  readonly cell: Cell;
  /** Seed of the ids drawn in this trial: the same for all cells of a round, so that all meet the same requests. */
  readonly drawSeed: number;
}

/** Everything that decides what a run does, apart from the machine. */
export interface Plan {
  readonly cells: readonly Cell[];
  readonly rounds: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly connections: number;
  /** Seed of the order of trials and of the ids drawn. */
  readonly seed: number;
  /** Seed of the data set. */
  readonly dataSeed: number;
  /** Share of requests for ids that are not in the data set, 0 to 1. */
  readonly missShare: number;
  readonly profile: string;
  readonly generator: string;
  /** SQLite engine asked for. */
  readonly engine: "native" | "node";
}

/** All cells of a matrix, in the order tables show them. */
export function matrix(
  axes: {
    readonly suite: string;
    readonly workload: string;
    readonly runtimes: readonly string[];
    readonly stores: readonly string[];
    readonly sizes: readonly number[];
  },
): Cell[] {
  const { suite, workload, runtimes, stores, sizes } = axes;
  return sizes.flatMap((size) =>
    stores.flatMap((store) => runtimes.map((runtime) => ({ suite, workload, runtime, store, size })))
  );
}

/** The trials of a plan: each round is every cell once, in an order of its own shuffled from the plan's seed. */
export function scheduleOf(plan: Plan): PlannedTrial[] {
  const random = createRandom(plan.seed);
  const trials: PlannedTrial[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const drawSeed = Math.floor(random() * 2 ** 32);
    for (const cell of shuffle(plan.cells, random)) trials.push({ index: trials.length, round, cell, drawSeed });
  }
  return trials;
}

/** Milliseconds a plan spends under load: what its trials measure and warm up, without starting and checking. */
export function loadedMs(plan: Plan): number {
  return plan.cells.length * plan.rounds * (plan.durationMs + plan.warmupMs);
}

/**
 * How long the rest of a run will take in milliseconds: its load, and for each trial the time its cell took beyond that
 * so far, or the mean of all cells where it has not run yet.
 * @param spentMs wall time of finished trials by cell name
 */
export function remainingMs(
  plan: Plan,
  ahead: readonly PlannedTrial[],
  spentMs: ReadonlyMap<string, readonly number[]>,
): number {
  const load = plan.durationMs + plan.warmupMs;
  const means = new Map<string, number>();
  for (const [name, times] of spentMs) means.set(name, times.reduce((a, b) => a + b, 0) / times.length);
  const overall = means.size === 0 ? load * 1.3 : [...means.values()].reduce((a, b) => a + b, 0) / means.size;
  return ahead.reduce((sum, trial) => sum + (means.get(cellName(trial.cell)) ?? overall), 0);
}
