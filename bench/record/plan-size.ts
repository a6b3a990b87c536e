import type { Cell, PlanAxis } from "./cell-schema.ts";

/** The parts of a plan that its size depends on. */
interface Sized {
  readonly axes: readonly PlanAxis[];
  readonly cells: readonly Cell[];
  readonly solo: readonly { readonly cell: number; readonly rounds: number }[];
  readonly ensembles: readonly {
    readonly purpose: string;
    readonly cells: readonly number[];
    readonly rounds: number;
  }[];
  readonly ceilings: readonly { readonly cell: number; readonly stands_for: readonly number[] }[];
  readonly rounds: number;
  readonly spare_rounds?: number | undefined;
  readonly timed?: { readonly most_rounds: number } | undefined;
  readonly settles?: readonly Settled[] | undefined;
}

interface Settled {
  readonly ensembles: readonly { readonly of: number; readonly cells: readonly number[] }[];
  readonly solo: readonly number[];
  readonly rounds: number;
}

/** Most steps a plan can come to, each as many times as it has servers; counted without making one. */
export function stepsAtMost(
  { solo, ensembles, ceilings, rounds, spare_rounds = 0, timed, settles = [] }: Sized,
): number {
  const parts = [
    ...ceilings.map(() => ({ servers: 1, alone: 0, rounds })),
    ...solo.map((one) => ({ servers: 1, alone: 0, rounds: one.rounds })),
    ...ensembles.map((one) => ({ servers: one.cells.length, alone: one.cells.length, rounds: one.rounds })),
  ];
  const more = Math.max(0, (timed?.most_rounds ?? 0) - rounds);
  const settled = settles.reduce(
    (sum, one) => sum + one.rounds * (one.solo.length + one.ensembles.flatMap(({ cells }) => cells).length),
    0,
  );
  return parts.reduce(
    (sum, part) =>
      sum + (Math.min(part.rounds, rounds) + more) * part.servers + spare_rounds * (part.servers + part.alone),
    settled,
  );
}

/** Most pairs of cells a plan can compare: those that differ in one contrast axis or in the label, and pairs made by hand. */
export function pairsAtMost({ axes, cells, ensembles }: Sized): number {
  const others = (values: readonly unknown[]) => new Set(values).size - 1;
  const along = axes.filter(({ role }) => role === "contrast")
    .map(({ name }) => others(cells.map(({ point }) => point.at[name])));
  const each = [others(cells.map(({ label }) => label)), ...along].reduce((sum, more) => sum + more, 0);
  const byHand = ensembles.filter(({ purpose }) => purpose === "pair")
    .reduce((sum, one) => sum + one.cells.length * (one.cells.length - 1) / 2, 0);
  return cells.length * each / 2 + byHand;
}

/** True if nothing occurs twice in a plan: no cell alone, no ensemble, no server in it, no ceiling. */
export function isEachOnce({ solo, ensembles, ceilings, settles = [] }: Sized): boolean {
  const once = (items: readonly unknown[]) => new Set(items).size === items.length;
  return once(solo.map(({ cell }) => cell)) && once(ceilings.map(({ cell }) => cell)) &&
    once(ceilings.flatMap((one) => one.stands_for)) &&
    [...ensembles, ...settles.flatMap((one) => one.ensembles)].every(({ cells }) => once(cells)) &&
    settles.every((one) => once(one.solo) && once(one.ensembles.map(({ of }) => of))) &&
    once(ensembles.map(({ cells }) => JSON.stringify(cells.toSorted((a, b) => a - b))));
}
