import type { Cell } from "./cell.ts";
import { AA, MAIN, type Pair, type Subject } from "./plan.ts";

/** Which comparisons a run's verdict phase makes. */
export type DuetChoice = "runtimes" | "stores" | "labels";

/** Data sets from this size on are left out for stores that scan: too few replies in a duet to compare. */
const MAX_SCANNED = 20_000;
const SCANNING = ["linear"];

/** Every two of the items, in order. */
export function everyTwo<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [T, T] => [a, b]));
}

const duettable = (cell: Cell) => !(SCANNING.includes(cell.store) && cell.size >= MAX_SCANNED);

/**
 * The duets of a matrix: the A/A pair, and by choice the runtimes within each store and size, the stores within each
 * runtime and size, the labels within each cell.
 */
export function duetsOf(subjects: readonly Subject[], choices: readonly DuetChoice[], aaCell: Cell): Pair[] {
  const own = subjects.filter((subject) => subject.label !== AA && duettable(subject.cell));
  const groups = (key: (subject: Subject) => string) => Object.values(Object.groupBy(own, key)) as Subject[][];
  const where = ({ cell, label }: Subject) => [cell.suite, cell.workload, cell.size, label];
  const pairs = (purpose: Pair["purpose"], key: (subject: Subject) => unknown[]): Pair[] =>
    groups((subject) => key(subject).join("/")).flatMap((group) =>
      everyTwo(group).map(([a, b]) => ({ purpose, a, b }))
    );
  const base = subjects.find((subject) => subject.label !== AA)?.label ?? MAIN;
  return [
    { purpose: "aa", a: { cell: aaCell, label: base }, b: { cell: aaCell, label: AA } },
    ...(choices.includes("runtimes") ? pairs("runtimes", (subject) => [...where(subject), subject.cell.store]) : []),
    ...(choices.includes("stores") ? pairs("stores", (subject) => [...where(subject), subject.cell.runtime]) : []),
    ...(choices.includes("labels")
      ? pairs("labels", ({ cell }) => [cell.suite, cell.workload, cell.size, cell.store, cell.runtime])
      : []),
  ];
}

/**
 * The cell of the A/A pair: from the middle of those that do not scan, so that it is neither the fastest nor the
 * slowest of the run; any cell when all scan.
 */
export function aaCellOf(cells: readonly Cell[]): Cell {
  const fit = cells.filter(duettable);
  const from = fit.length > 0 ? fit : cells;
  return from[Math.floor(from.length / 2)]!;
}
