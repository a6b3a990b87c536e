import { cellKey, cellName } from "../record/cell.ts";
import type { Plan } from "../record/plan.ts";
import type { BlockTable } from "../statistics/blocks.ts";
import type { Lines, Together } from "../judge/lines.ts";
import type { Member } from "../record/observation-record.ts";

/** Cells that a plan measures together, and what its rounds found. */
export interface EnsembleTable {
  readonly purpose: Plan["ensembles"][number]["purpose"];
  /** Places of its cells in the plan. */
  readonly places: readonly number[];
  /** CPU time per request of each in each ok round, by name; null if one has none. */
  readonly table: BlockTable;
  /** Its ok rounds. */
  readonly rounds: readonly {
    readonly round: number;
    readonly members: readonly (Member | null)[];
    /** For each member, true if its cost still changed when the warm-up of all together ended. */
    readonly moving: readonly boolean[];
  }[];
}

/** One table for each ensemble of a plan, in its order. */
export function ensembleTables(plan: Plan, { together }: Lines): EnsembleTable[] {
  // Servers that have windows by turns are never loaded together.
  return (plan.further === undefined ? plan.ensembles : []).map(({ purpose, cells }, index) => {
    const keys = cells.map((place) => cellKey(plan.cells[place]!));
    const isOwn = ({ members }: Together) => members.size === keys.length && keys.every((key) => members.has(key));
    const own = together.filter((one) => one.ok && isOwn(one));
    // A step that stands twice in a damaged journal counts once.
    const rounds = own.filter(({ round }, n) => own.findIndex((one) => one.round === round) === n).map((
      { round, members, moving },
    ) => ({
      round,
      moving: keys.map((key) => moving.has(key)),
      members: keys.map((key) => {
        const member = members.get(key)!;
        return member.marks.length === 0 ? member : null;
      }),
    }));
    return {
      purpose,
      places: cells,
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
