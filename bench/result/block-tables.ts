import { cellKey, cellName } from "../record/cell.ts";
import { isSettling } from "../plan/schedule.ts";
import type { At } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import type { BlockTable } from "../statistics/blocks.ts";
import { isOnlyAlone } from "../judge/halts.ts";
import type { Member, Observation } from "../record/observation-record.ts";

/** Cells that rounds of a plan measure together, and their figures. */
export interface EnsembleTable extends BlockTable {
  /** Places of its cells in the plan. */
  readonly places: readonly number[];
  /** Values of its cells on all axes, in the order of the table's members. */
  readonly ats: readonly At[];
  /** All its loads together, ok or not, with the members in the table's order. */
  readonly lines: readonly { readonly line: Observation; readonly members: readonly Member[] }[];
  readonly rounds: readonly (BlockTable["rounds"][number] & {
    readonly members: readonly (Member | null)[];
    /** For each member, true if its cost still changed when the warm-up of all together ended. */
    readonly moving: readonly boolean[];
  })[];
}

/**
 * The tables of a plan's ensembles, in their order; none for one whose servers bear no halts. An ensemble that was settled
 * has more of them, those with the most rounds first: each holds the cells that some parts of its rounds share, so none
 * of its rounds lacks a cell because it was not planned.
 */
export function ensembleTables(plan: Plan, journal: readonly Observation[]): EnsembleTable[] {
  const together = journal.filter(({ kind }) => kind === "ensemble")
    .map((line) => ({ line, keys: line.members.map(({ cell }) => cellKey(cell)) }));
  // Servers that have windows by turns are never loaded together.
  return (plan.further === undefined ? plan.ensembles : []).flatMap(({ cells }, index) => {
    const linesOf = (places: readonly number[], isSettled: boolean) => {
      const wanted = places.map((place) => cellKey(plan.cells[place]!));
      return together.filter(({ line, keys }) =>
        isSettling(plan, line) === isSettled && keys.length === wanted.length &&
        wanted.every((key) => keys.includes(key))
      ).map(({ line }) => line);
    };
    const whole = linesOf(cells, false);
    if (whole.some(isOnlyAlone)) return [];
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

/** All subsets of a list, those with the most items first; the list has two at most. */
const subsetsOf = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((some, item) => [...some.map((one) => [...one, item]), ...some], [[]])
    .toSorted((a, b) => b.length - a.length);

function tableFrom(plan: Plan, index: number, places: readonly number[], all: readonly Observation[]): EnsembleTable {
  const cells = places.map((place) => plan.cells[place]!);
  const keys = cells.map(cellKey);
  // A step that occurs twice in a damaged journal counts once.
  const once = (some: readonly Observation[]) =>
    some.filter(({ round }, n) => some.findIndex((one) => one.round === round) === n).map((line) => {
      const found = line.members.map(({ cell }) => cellKey(cell));
      const order = keys.map((key) => found.indexOf(key));
      return { line, order, members: order.map((place) => line.members[place]!) };
    });
  const whole = all.filter((line) => !isOnlyAlone(line));
  return {
    id: String(index),
    members: cells.map((cell) => cellName(plan.axes, cell)),
    places,
    ats: cells.map(({ point }) => point.at),
    lines: once(whole),
    rounds: once(whole.filter(({ status }) => status === "ok")).map(({ line, order, members }) => {
      const kept = members.map((member) => member.marks.length === 0 ? member : null);
      return {
        round: line.round,
        costs: kept.map((member) => member?.cpu_ns_per_request ?? null),
        members: kept,
        // Its curves are in the order of the members, whatever thread of the generator each had.
        moving: order.map((place) => line.warmup?.steadiness[place] === "moving"),
      };
    }),
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
export function gaugeOf({ members, ats }: EnsembleTable, over: string, under: string): string[] {
  const [one, other] = [over, under].map((name) => ats[members.indexOf(name)]!) as [At, At];
  const differing = Object.keys(one).filter((axis) => one[axis] !== other[axis]);
  if (differing.length === 0) return [];
  return members.filter((_, n) =>
    differing.every((axis) => ats[n]![axis] !== one[axis] && ats[n]![axis] !== other[axis])
  );
}
