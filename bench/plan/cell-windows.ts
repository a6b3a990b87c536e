import { cellKey } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Observation, Window } from "../record/observation-record.ts";

/** The lines of a cell measured alone. */
export function linesOfCell(lines: readonly Observation[], cell: Cell): Observation[] {
  return lines.filter(({ members }) => cellKey(members[0]!.cell) === cellKey(cell));
}

/** Whether a window has these values of its axes. */
export const standsAt = (at: Window["at"]) => (window: Pick<Window, "at">): boolean =>
  Object.entries(at).every(([axis, value]) => window.at[axis] === value);
