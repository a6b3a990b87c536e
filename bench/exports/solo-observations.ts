import { cellName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Solo } from "../judge/lines.ts";
import { readLeanLine } from "../page/evidence.ts";
import type { RunFiles } from "../page/shown-run.ts";

/** What a cell did alone, its histogram left out. */
export interface ExportedSolo extends Solo {
  readonly cell: Cell;
  /** The cell's name in the run. */
  readonly name: string;
  /** Of the observation it is from. */
  readonly index: number;
  readonly started_at: string;
}

/** What cells did alone among a run's lines, in the order in which it was measured. */
export function soloObservations({ run, lines }: Pick<RunFiles, "run" | "lines">): ExportedSolo[] {
  return lines.map(readLeanLine).flatMap(({ record, solos }) =>
    solos.map(({ solo }) => {
      const { cell } = solo.member;
      return { ...solo, cell, name: cellName(run.plan.axes, cell), index: record.index, started_at: record.started_at };
    })
  );
}
