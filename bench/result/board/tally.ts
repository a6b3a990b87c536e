/** What many runs say together, folded run by run: what is kept grows with machines and comparisons, not with runs. */
import { textOf } from "../../record/cell.ts";
import {
  acrossOf,
  byWeight,
  type ComparisonAcross,
  machineKey,
  machineNames,
  type Made,
  sentenceOf,
} from "../across-machines.ts";
import { type FoldedComparison, foldedWith, saidTogether } from "../fold-comparisons.ts";
import type { BoardMachine, BoardRun, ReadBoardRun, RunMachine } from "./board-run.ts";

/** A kind and model of CPU on the board; where load came from another machine, these two. */
export interface TalliedMachine {
  /** Short and unique among them. */
  readonly name: string;
  readonly kind: string;
  readonly model: string;
  /** The load generator's, where that is another machine. */
  readonly load?: Pick<RunMachine, "cpu_kind" | "cpu_model">;
  /** Its runs, the newest first. */
  readonly runs: readonly BoardRun[];
  /** What its runs say of the rest of the machine, each way once. */
  readonly facts: readonly { readonly machine: BoardMachine; readonly runs: number }[];
  /** Rates by suite and cell. */
  readonly rates: readonly SuiteRates[];
}

/** Rates of a suite's cells on one machine. */
export interface SuiteRates {
  readonly suite: BoardRun["suite"];
  readonly cells: readonly TalliedRate[];
}

/** What runs of one machine say of a cell's rate. */
export interface TalliedRate {
  readonly cell: string;
  readonly runs: number;
  readonly least: number;
  readonly greatest: number;
  /** Whether one of them is a lower bound. */
  readonly bounded: boolean;
}

/** A comparison with those machines that made it, in the order of `seen`. */
export interface TalliedComparison {
  readonly comparison: ComparisonAcross;
  /** Places in the board's list of machines. */
  readonly machines: readonly number[];
  /** Kinds of CPU among them. */
  readonly kinds: number;
  /** Runs that made it. */
  readonly runs: number;
}

/** A suite on the board. */
export interface TalliedSuite {
  readonly suite: BoardRun["suite"];
  readonly runs: number;
  readonly machines: number;
  /** Those that some machine decided: made on several kinds of CPU first, among them what does not hold. */
  readonly comparisons: readonly TalliedComparison[];
  /** Over comparisons that several kinds of CPU made; null where there is none. */
  readonly sentence: string | null;
}

/** All that a board says of runs. */
export interface Tallied {
  readonly machines: readonly TalliedMachine[];
  readonly suites: readonly TalliedSuite[];
}

interface SuiteSoFar {
  readonly suite: BoardRun["suite"];
  runs: number;
  readonly machines: Set<number>;
  readonly comparisons: Map<string, { readonly made: Omit<Made, "seen">; readonly by: Map<number, FoldedComparison> }>;
}

interface MachineSoFar {
  readonly runs: BoardRun[];
  readonly facts: Map<string, { readonly machine: BoardMachine; runs: number }>;
  readonly rates: Map<string, { readonly suite: BoardRun["suite"]; readonly cells: Map<string, TalliedRate> }>;
}

/** Begins a board. */
export function startTally() {
  const places = new Map<string, number>();
  const machines: MachineSoFar[] = [];
  const suites = new Map<string, SuiteSoFar>();
  return {
    /** Takes a run in. Its comparisons and rates are not kept. */
    add({ run, comparisons, rates }: ReadBoardRun): void {
      const key = machineKey(run.machine);
      const place = places.get(key) ?? machines.length;
      if (place === machines.length) {
        places.set(key, place);
        machines.push({ runs: [], facts: new Map(), rates: new Map() });
      }
      addToMachine(machines[place]!, run, rates);
      const suite = suites.get(run.suite.key) ??
        { suite: run.suite, runs: 0, machines: new Set(), comparisons: new Map() };
      suites.set(run.suite.key, suite);
      suite.runs++;
      suite.machines.add(place);
      for (const { seen, ...made } of comparisons) {
        const known = suite.comparisons.get(made.key) ?? { made, by: new Map() };
        suite.comparisons.set(made.key, known);
        known.by.set(place, foldedWith(known.by.get(place), seen));
      }
    },
    /** What they say together, in an order that is the same whichever run came first. */
    result(): Tallied {
      const named = namedMachines(machines);
      const inRank = machines.map((_, place) => place).sort((a, b) => inOrder(named[a]!.name, named[b]!.name));
      const ranks = new Map(inRank.map((place, rank) => [place, rank]));
      const ranked = inRank.map((place) => machines[place]!);
      return {
        machines: inRank.map((place) => named[place]!),
        suites: [...suites.values()].map((suite) => talliedSuite(suite, ranked, ranks))
          .toSorted((a, b) => inOrder(a.suite.name, b.suite.name) || inOrder(a.suite.key, b.suite.key)),
      };
    },
  };
}

function addToMachine(machine: MachineSoFar, run: BoardRun, rates: ReadBoardRun["rates"]): void {
  machine.runs.push(run);
  const facts = JSON.stringify(run.machine);
  const same = machine.facts.get(facts) ?? { machine: run.machine, runs: 0 };
  machine.facts.set(facts, same);
  same.runs++;
  const suite = machine.rates.get(run.suite.key) ?? { suite: run.suite, cells: new Map<string, TalliedRate>() };
  machine.rates.set(run.suite.key, suite);
  for (const { cell, requests_per_second: rate, least } of rates) {
    const known = suite.cells.get(cell);
    suite.cells.set(cell, {
      cell,
      runs: (known?.runs ?? 0) + 1,
      least: Math.min(known?.least ?? Infinity, rate),
      greatest: Math.max(known?.greatest ?? 0, rate),
      bounded: least || known?.bounded === true,
    });
  }
}

/** @param ranks of machines, by their place in the order they came in */
function talliedSuite(
  { suite, runs, machines: all, comparisons }: SuiteSoFar,
  machines: readonly MachineSoFar[],
  ranks: ReadonlyMap<number, number>,
) {
  const kindAt = (rank: number) => machines[rank]!.runs[0]!.machine.cpu_kind;
  const folded = [...comparisons.values()].map(({ made, by }) => ({
    made,
    by: [...by].map(([place, own]) => ({ rank: ranks.get(place)!, own })).toSorted((a, b) => a.rank - b.rank),
  }));
  const across = folded.map(({ made, by }) => ({
    own: acrossOf(made, by.map(({ own }) => saidTogether(own))),
    hidden: hiddenTexts(made),
  }));
  const alike = Map.groupBy(across, ({ own }) => textOfComparison(own));
  const made = folded.map(({ by }, n): TalliedComparison => ({
    comparison: toldApart(across[n]!, alike.get(textOfComparison(across[n]!.own))!),
    machines: by.map(({ rank }) => rank),
    kinds: new Set(by.map(({ rank }) => kindAt(rank))).size,
    runs: by.reduce((sum, { own }) => sum + own.runs, 0),
  }));
  const decided = made.filter(({ comparison }) => comparison.same > 0);
  const common = decided.filter(({ kinds }) => kinds > 1);
  const undecided = made.filter(({ kinds }) => kinds > 1).length - common.length;
  return {
    suite,
    runs,
    machines: all.size,
    comparisons: decided.toSorted((a, b) =>
      Number(b.kinds > 1) - Number(a.kinds > 1) || byWeight(a.comparison, b.comparison)
    ),
    sentence: common.length + undecided === 0
      ? null
      : sentenceOf(common.map(({ comparison }) => comparison), all.size, undecided),
  };
}

const textOfComparison = ({ axis, over, under, at }: ComparisonAcross) =>
  JSON.stringify([axis, [over, under].sort(), at]);

/** What names leave out: `Connections 50`. */
const hiddenTexts = ({ axes, points }: Omit<Made, "seen">) =>
  axes.filter(({ shown }) => !shown).map((axis) => `${axis.title} ${textOf(axis, points[0].at)}`);

/** A comparison and what its name leaves out. */
interface Told {
  readonly own: ComparisonAcross;
  readonly hidden: readonly string[];
}

/** Plans with other axes make comparisons that are called alike and are not the same: what they do not share tells them apart. */
function toldApart({ own, hidden }: Told, alike: readonly Told[]): ComparisonAcross {
  const apart = hidden.filter((text) => !alike.every((other) => other.hidden.includes(text)));
  return { ...own, at: [own.at, ...apart].filter((text) => text !== "").join(", ") };
}

function namedMachines(machines: readonly MachineSoFar[]): TalliedMachine[] {
  const names = machineNames(machines.map(({ runs }) => runs[0]!.machine));
  return machines.map(({ runs, facts, rates }, n) => {
    const { cpu_kind: kind, cpu_model: model, load } = runs[0]!.machine;
    return {
      name: names[n]!,
      kind,
      model,
      ...(load === undefined ? {} : { load: { cpu_kind: load.cpu_kind, cpu_model: load.cpu_model } }),
      runs: runs.toSorted((a, b) => inOrder(b.started_at, a.started_at)),
      facts: [...facts.values()],
      rates: [...rates.values()].map(({ suite, cells }) => ({
        suite,
        cells: [...cells.values()].toSorted((a, b) => inOrder(a.cell, b.cell)),
      })).toSorted((a, b) => inOrder(a.suite.name, b.suite.name)),
    };
  });
}

const inOrder = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;
