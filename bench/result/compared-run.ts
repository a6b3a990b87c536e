import { AA, MAIN } from "../record/cell.ts";
import { usageError } from "../basics/errors.ts";
import type { ComparedRun } from "./compare-runs.ts";
import type { Observation } from "../record/observation-record.ts";
import { publish } from "./published.ts";
import type { RunRecord } from "../record/run-record.ts";

/**
 * A run as a side of a comparison, by the label asked for, else `main`, else the first it has. Throws a usage error for a
 * label it does not have.
 */
export function comparedRun(run: RunRecord, lines: readonly Observation[], label: string | undefined): ComparedRun {
  const labels = [...new Set(run.plan.cells.map((cell) => cell.label))].filter((known) => known !== AA);
  const chosen = label ?? (labels.includes(MAIN) ? MAIN : labels[0] ?? MAIN);
  if (!labels.includes(chosen)) {
    throw usageError(`run "${run.run}" has no label "${chosen}"`, `it has ${labels.join(", ")}`);
  }
  return { run, lines, summary: publish(run, lines).summary, label: chosen };
}
