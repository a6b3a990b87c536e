import { cellKey, cellName } from "../record/cell.ts";
import type { At } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import type { BlockTable } from "../statistics/blocks.ts";
import { isApart } from "../judge/halts.ts";
import type { Lines, Together } from "../judge/lines.ts";
import type { Member, Observation } from "../record/observation-record.ts";

/** Cells that a plan measures together, and what its rounds found. */
export interface EnsembleTable {
  /** Places of its cells in the plan. */
  readonly places: readonly number[];
  /** Values of its cells on all axes, in the order of the table's members. */
  readonly ats: readonly At[];
  /** CPU time per request of each in each ok round, by name; null if one has none. */
  readonly table: BlockTable;
  /** All its loads together, ok or not, with the members in the table's order. */
  readonly lines: readonly { readonly line: Observation; readonly members: readonly Member[] }[];
  /** Its ok rounds. */
  readonly rounds: readonly {
    readonly round: number;
    readonly members: readonly (Member | null)[];
    /** For each member, true if its cost still changed when the warm-up of all together ended. */
    readonly moving: readonly boolean[];
  }[];
}

/** One table for each ensemble of a plan, in its order; none for one whose servers bear no halts. */
export function ensembleTables(plan: Plan, { together }: Lines): EnsembleTable[] {
  // Servers that have windows by turns are never loaded together.
  return (plan.further === undefined ? plan.ensembles : []).flatMap(({ cells }, index) => {
    const keys = cells.map((place) => cellKey(plan.cells[place]!));
    const isWhole = ({ members }: Together) => members.size === keys.length && keys.every((key) => members.has(key));
    if (together.some((one) => isWhole(one) && isApart(one.line))) return [];
    const whole = together.filter((one) => isWhole(one) && !isApart(one.line));
    // A step that stands twice in a damaged journal counts once.
    const once = (some: readonly Together[]) =>
      some.filter(({ line }, n) => some.findIndex((one) => one.line.round === line.round) === n);
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
  });
}

/** The table that holds both of two cells, by their places in the plan; undefined if they were never planned together. */
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
