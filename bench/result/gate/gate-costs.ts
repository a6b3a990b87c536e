import { cellKey } from "../../record/cell.ts";
import type { Cell } from "../../record/cell-schema.ts";
import { sortLines } from "../../judge/lines.ts";
import type { Observation } from "../../record/observation-record.ts";
import { medianOfKnown } from "../../statistics/median.ts";

/** CPU time per request of a cell among others in nanoseconds, the median over the rounds that are ok; null without any. */
export function costTogether(lines: readonly Observation[], cell: Cell): number | null {
  const sound = sortLines(lines).together.filter(({ ok }) => ok);
  return medianOfKnown(sound.map(({ members }) => members.get(cellKey(cell))?.cpu_ns_per_request));
}
