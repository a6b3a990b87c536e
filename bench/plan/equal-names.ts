import type { At, Suite } from "../../suites/suite.ts";
import { cellName } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { usageError } from "../basics/errors.ts";

/** Names stand for cells in all of a run's files, so two cells of one name would be one. Throws a usage error for such. */
export function refuseEqualNames(suite: Suite, axes: readonly PlanAxis[], cells: readonly Cell[]): void {
  const seen = new Map<string, Cell>();
  for (const cell of cells) {
    const name = cellName(axes, cell);
    const other = seen.get(name);
    if (other !== undefined) {
      const values = (at: At) => suite.axes.map((axis) => `${axis.name} ${JSON.stringify(at[axis.name])}`).join(", ");
      throw usageError(
        `suite "${suite.name}": "${name}" is the name of ${values(other.point.at)} and of ${values(cell.point.at)}`,
        "give each value of an axis a text of its own: see its format",
      );
    }
    seen.set(name, cell);
  }
}
