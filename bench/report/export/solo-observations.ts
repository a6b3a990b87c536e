import { cellName } from "../../core/cell.ts";
import type { Cell } from "../../core/cell-schema.ts";
import type { Member, Observation } from "../../core/result/observation-record.ts";
import { readLeanLine } from "../evidence.ts";
import type { RunFiles } from "../shown-run.ts";

/** An observation of one cell alone, its histogram left out. */
export interface Solo extends Observation {
  readonly cell: Cell;
  /** The cell's name in the run. */
  readonly name: string;
  readonly member: Member;
}

/** The observations of cells alone among a run's lines, in the order they were made. */
export function soloObservations({ run, lines }: Pick<RunFiles, "run" | "lines">): Solo[] {
  return lines.map((line) => readLeanLine(line).record).filter(({ kind }) => kind === "solo").map((record) => {
    const member = record.members[0]!;
    return { ...record, cell: member.cell, name: cellName(run.plan.axes, member.cell), member };
  });
}
