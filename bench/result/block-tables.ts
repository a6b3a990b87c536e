import { cellKey, cellName } from "../record/cell.ts";
import { isSettling } from "../plan/schedule.ts";
import type { At } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import type { BlockTable } from "../statistics/blocks.ts";
import { isApart } from "../judge/halts.ts";
import type { Lines, Together } from "../judge/lines.ts";
import type { Member, Observation } from "../record/observation-record.ts";

/** Cells that rounds of a plan measure together, and what these found. */
export interface EnsembleTable {
  /** Places of its cells in the plan. */
  readonly places: readonly number[];
  /** Values of its cells on all axes, in the order of the table's members. */
  readonly ats: readonly At[];
  /** CPU time per request of each in each ok round, by name; null if one has none. */
  readonly table: BlockTable;
  /** All its loads together, ok or not, with the members in the table's order. */
  readonly lines: readonly { readonly line: Observation; readonly members: readonly Member[] }[];
  readonly rounds: readonly {
    readonly round: number;
    readonly members: readonly (Member | null)[];
    /** For each member, true if its cost still changed when the warm-up of all together ended. */
    readonly moving: readonly boolean[];
  }[];
}

/**
 * The tables of a plan's ensembles, in their order; none for one whose servers bear no halts. An ensemble that was settled
 * has more of them, those with the most rounds first: each holds the cells that some parts of its rounds share, so none
 * of its rounds lacks a cell because it was not planned.
 */
export function ensembleTables(plan: Plan, { together }: Lines): EnsembleTable[] {
  // Servers that have windows by turns are never loaded together.
  return (plan.further === undefined ? plan.ensembles : []).flatMap(({ cells }, index) => {
    const linesOf = (places: readonly number[], isSettled: boolean) => {
      const keys = keysOf(plan, places);
      return together.filter(({ line, members }) =>
        isSettling(plan, line) === isSettled && members.size === keys.length && keys.every((key) => members.has(key))
      );
    };
    const whole = linesOf(cells, false);
    if (whole.some(({ line }) => isApart(line))) return [];
    // Settles of the same cells are one part.
    const settled = new Map(
      (plan.settles ?? []).flatMap(({ ensembles }) => ensembles.filter(({ of }) => of === index))
        .map((one) => [String(one.cells.toSorted((a, b) => a - b)), one.cells]),
    );
    const parts = [...settled.values()].map((places) => ({ places, lines: linesOf(places, true) }))
      .filter(({ lines }) => lines.length > 0);
    return subsetsOf(parts).map((some) => {
      const places = cells.filter((place) => some.every((part) => part.places.includes(place)));
      return { places, lines: [...whole, ...some.flatMap(({ lines }) => lines)] };
    }).filter(({ places }) => places.length > 1).map(({ places, lines }) => tableFrom(plan, index, places, lines));
  });
}

const keysOf = (plan: Plan, places: readonly number[]) => places.map((place) => cellKey(plan.cells[place]!));

/** All subsets of a list, those with the most items first; the list has two at most. */
const subsetsOf = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((some, item) => [...some.map((one) => [...one, item]), ...some], [[]])
    .toSorted((a, b) => b.length - a.length);

function tableFrom(plan: Plan, index: number, cells: readonly number[], lines: readonly Together[]): EnsembleTable {
  const keys = keysOf(plan, cells);
  // A step that stands twice in a damaged journal counts once.
  const once = (some: readonly Together[]) =>
    some.filter(({ line }, n) => some.findIndex((one) => one.line.round === line.round) === n);
  const whole = lines.filter(({ line }) => !isApart(line));
  const rounds = once(whole.filter(({ ok }) => ok)).map(({ line, members, moving }) => ({
    round: line.round,
    moving: keys.map((key) => moving.has(key)),
    members: keys.map((key) => {
      const member = members.get(key)!;
      return member.marks.length === 0 ? member : null;
    }),
  }));
  return {
    places: cells,
    lines: once(whole).map(({ line, members }) => ({ line, members: keys.map((key) => members.get(key)!) })),
    ats: cells.map((place) => plan.cells[place]!.point.at),
    rounds,
    table: {
      id: String(index),
      members: cells.map((place) => cellName(plan.axes, plan.cells[place]!)),
      rounds: rounds.map(({ round, members }) => ({
        round,
        costs: members.map((member) => member?.cpu_ns_per_request ?? null),
      })),
    },
  };
}

/** The table that holds both of two cells, by their places in the plan; undefined if none does. */
export function tableOf(tables: readonly EnsembleTable[], a: number, b: number): EnsembleTable | undefined {
  return tables.find(({ places }) => places.includes(a) && places.includes(b));
}

/**
 * Returns the members of a table that can show the speed of the core for two of them: on each axis by which the two differ,
 * they have another value than both. A member with a value of theirs shares some of their noise, as when all of one
 * runtime's servers compile at once.
 */
export function gaugeOf({ table, ats }: EnsembleTable, over: string, under: string): string[] {
  const [one, other] = [over, under].map((name) => ats[table.members.indexOf(name)]!) as [At, At];
  const differing = Object.keys(one).filter((axis) => one[axis] !== other[axis]);
  if (differing.length === 0) return [];
  return table.members.filter((_, n) =>
    differing.every((axis) => ats[n]![axis] !== one[axis] && ats[n]![axis] !== other[axis])
  );
}
