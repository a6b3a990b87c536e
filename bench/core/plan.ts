import { type Cell, cellName } from "./cell.ts";
import { createRandom, shuffle } from "./random.ts";

/** A cell under one label: what a trial measures. Labels tell treatments of one cell apart. */
export interface Subject {
  readonly cell: Cell;
  /** `main`; `aa` for the same again; or a name given with --label or --against. */
  readonly label: string;
}

/** Two subjects to compare directly, and what the comparison is for. */
export interface Pair {
  readonly purpose: "runtimes" | "stores" | "labels" | "aa" | "pair";
  readonly a: Subject;
  readonly b: Subject;
}

/** One trial to make. */
export interface PlannedTrial extends Subject {
  readonly kind: "trial";
  /** Place in the run, from 0. */
  readonly index: number;
  /** From 0. */
  readonly round: number;
  /** Seed of the ids drawn: the same for all trials of a round, so that all meet the same requests. */
  readonly drawSeed: number;
}

/** One duet to make. */
export interface PlannedDuet extends Pair {
  readonly kind: "duet";
  readonly index: number;
  readonly round: number;
  readonly drawSeed: number;
}

/** One measurement of the generator's ceiling against a server that does nothing. */
export interface PlannedCeiling {
  readonly kind: "ceiling";
  readonly index: number;
  readonly round: number;
  readonly drawSeed: number;
}

/** One step of a run: each leaves one line in its journal. */
export type PlannedStep = PlannedTrial | PlannedDuet | PlannedCeiling;

/** Everything that decides what a run does, apart from the machine. */
export interface Plan {
  readonly subjects: readonly Subject[];
  /** Pairs of the verdict phase; empty where verdicts rest on solo trials or none are wanted. */
  readonly duets: readonly Pair[];
  readonly rounds: number;
  readonly durationMs: number;
  /** Window of a duet. */
  readonly duetMs: number;
  /** Length of each load a server warms up with. */
  readonly warmupMs: number;
  readonly connections: number;
  /** Seed of the order of steps and of the ids drawn. */
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

/** Label of what is measured unless another is given. */
export const MAIN = "main";
/** Label of the second subject of the A/A pair. */
export const AA = "aa";

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

/** Every cell a plan touches. */
export function cellsOf(plan: Pick<Plan, "subjects" | "duets">): Cell[] {
  return [...plan.subjects, ...plan.duets.flatMap(({ a, b }) => [a, b])].map(({ cell }) => cell);
}

/** A subject's name, unique within a run. */
export function subjectName({ cell, label }: Subject): string {
  return label === MAIN ? cellName(cell) : `${cellName(cell)}@${label}`;
}

/**
 * The steps of a plan. Each round is the ceiling and every subject once, in an order of its own shuffled from the plan's
 * seed; the duets follow in rounds of their own.
 */
export function scheduleOf(plan: Plan): PlannedStep[] {
  const random = createRandom(plan.seed);
  const steps: PlannedStep[] = [];
  const drawSeeds = Array.from({ length: plan.rounds }, () => Math.floor(random() * 2 ** 32));
  drawSeeds.forEach((drawSeed, round) => {
    const trials = plan.subjects.map((subject) => ({ kind: "trial", ...subject } as const));
    for (const step of shuffle([{ kind: "ceiling" } as const, ...trials], random)) {
      steps.push({ ...step, index: steps.length, round, drawSeed });
    }
  });
  drawSeeds.forEach((drawSeed, round) => {
    for (const pair of shuffle(plan.duets, random)) {
      steps.push({ kind: "duet", ...pair, index: steps.length, round, drawSeed });
    }
  });
  return steps;
}

/** A step's name: equal for the same step of different rounds. */
export function stepName(step: PlannedStep): string {
  if (step.kind === "ceiling") return "ceiling";
  if (step.kind === "trial") return subjectName(step);
  return `${subjectName(step.a)} | ${subjectName(step.b)}`;
}

/**
 * Loads a server warms up with, each over connections of its own: engines compile once more after connections were closed.
 * After one load Node spent 5 % of its time on that in the window.
 */
export const WARM_UP_LOADS = 2;

/** Milliseconds a step spends under load: what it measures and warms up, without starting and checking. */
export function stepLoadMs(plan: Plan, step: PlannedStep): number {
  if (step.kind === "ceiling") return 1_000;
  return WARM_UP_LOADS * plan.warmupMs + (step.kind === "duet" ? plan.duetMs : plan.durationMs);
}

/** Milliseconds a plan spends under load. */
export function loadedMs(plan: Plan): number {
  return scheduleOf(plan).reduce((sum, step) => sum + stepLoadMs(plan, step), 0);
}
