import { cellKey, cellName, isAtRate } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { judgeCell, type Steadiness, steadinessOf, workerMarks } from "../judge/judge-cell.ts";
import { laterWorkMark } from "../judge/later-work.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import { coresShared, workersOf } from "../plan/workers.ts";
import type { NoiseFloor } from "../statistics/noise-floor.ts";
import { contradictionMarks } from "./latency/contradictions.ts";
import type { CellCard } from "../record/card.ts";
import { checkedLoads, type Lines, type Solo } from "../judge/lines.ts";
import { otherReplies } from "../judge/replies.ts";

/** The noise floor of each basis a verdict may rest on. */
export type Floors = Readonly<Record<"together" | "solo", NoiseFloor>>;

/** A cell of the plan and what its observations say. */
export interface MeasuredCell {
  readonly cell: Cell;
  readonly key: string;
  readonly name: string;
  /** Its place in the plan. */
  readonly place: number;
  /** True if it belongs to the requested matrix, not only to a pair named by hand. */
  readonly planned: boolean;
  /** Null when it was not measured alone, or not yet. */
  readonly card: CellCard | null;
  readonly solo: readonly Solo[];
  readonly marks: readonly Mark[];
  readonly steadiness: Steadiness;
}

/** Marks a cell whose server worked on after its replies, alone or together with others. */
function laterMarks({ together }: Lines, key: string, alone: readonly Solo[]): Mark[] {
  const fromEnsembles = together.filter(({ ok }) => ok).flatMap(({ members }) => members.get(key) ?? []);
  const found = laterWorkMark([...new Set([...alone.map(({ member }) => member), ...fromEnsembles])]);
  return found === null ? [] : [found];
}

/**
 * The cells of a run's plan, in its order.
 *
 * @param ceilings requests a second, one for each of the plan's kinds of request; null if not known
 */
export function measuredCells(
  run: Pick<RunRecord, "plan" | "placement" | "machine">,
  lines: Lines,
  cards: readonly CellCard[],
  ceilings: readonly (number | null)[],
): MeasuredCell[] {
  const { plan } = run;
  const cardOf = new Map(cards.map((card) => [cellKey(card.cell), card]));
  return plan.cells.map((cell, place) => {
    const key = cellKey(cell);
    const solo = lines.solo.get(key) ?? [];
    const ok = solo.filter(({ status }) => status === "ok");
    const ceiling = ceilings[plan.ceilings.findIndex(({ stands_for }) => stands_for.includes(place))];
    return {
      cell,
      key,
      name: cellName(plan.axes, cell),
      place,
      planned: plan.solo.some((one) => one.cell === place) ||
        plan.ensembles.some(({ purpose, cells }) => purpose === "matrix" && cells.includes(place)),
      card: cardOf.get(key) ?? null,
      solo,
      marks: isAtRate(cell.point.at) ? [] : [
        ...contradictionMarks(plan, cell, solo),
        ...judgeCell(ok, solo.length - ok.length, ceiling),
        ...workerMarks(ok, workersOf(cell.point.at), coresShared(run, cell)),
        ...otherReplies(checkedLoads(lines, key)),
        ...laterMarks(lines, key, ok),
      ],
      steadiness: isAtRate(cell.point.at) ? "unknown" : steadinessOf(ok),
    };
  });
}
