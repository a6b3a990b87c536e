import { cellKey, cellName, isAtRate } from "../record/cell.ts";
import { type Ceiling, judgeCell, steadinessOf, workerMarks } from "../judge/judge-cell.ts";
import { coldCacheMark } from "../judge/cold-cache.ts";
import { growingMark } from "../judge/growing-cost.ts";
import { laterWorkMark } from "../judge/later-work.ts";
import { withoutFollowing } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import { coresShared, workersOf } from "../plan/workers.ts";
import type { NoiseFloor } from "../statistics/noise-floor.ts";
import { contradictionMarks } from "./latency/contradictions.ts";
import type { CellFigures, OpenLoop, Parts } from "../record/card.ts";
import type { Summary } from "../record/summary.ts";
import { variation } from "../statistics/variation.ts";
import { checkedLoads, type Lines, rateOf, type Solo } from "../judge/lines.ts";
import { otherReplies } from "../judge/replies.ts";
import { lateMark } from "../judge/open-loop.ts";
import { starvedMark } from "../judge/starved.ts";

/** The noise floor of each basis a verdict may rest on. */
export type Floors = Readonly<Record<"together" | "solo", NoiseFloor>>;

/** A cell of the plan as in the summary, with the outcome of its observations. */
export interface MeasuredCell extends Readonly<Summary["cells"][number]> {
  readonly key: string;
  readonly place: number;
  /** True if it belongs to the requested matrix, not only to a pair named by hand. */
  readonly planned: boolean;
  /** Null when it was not measured alone, or not yet. */
  readonly card: (CellFigures & Parts) | null;
  readonly solo: readonly Solo[];
}

function atRateMarks(ok: readonly Solo[], card: OpenLoop | undefined): Mark[] {
  const late = card?.open_loop === undefined ? null : lateMark(card.open_loop.by_clock, "p50", "p99");
  return [starvedMark(ok), late].filter((found) => found !== null);
}

/** Marks a cell by its servers' lives in all ok observations, alone or together with others. */
function livesMarks({ together }: Lines, key: string, alone: readonly Solo[]): Mark[] {
  const shared = (together.get(key) ?? []).filter(({ line }) => line.status === "ok").map(({ member }) => member);
  const members = [...new Set([...alone.map(({ member }) => member), ...shared])];
  return [starvedMark(alone, shared), growingMark(members), laterWorkMark(members), coldCacheMark(members)]
    .filter((found) => found !== null);
}

/** The cells of a run's plan, in its order, with a ceiling for each kind of request, null if not known. */
export function measuredCells(
  run: Pick<RunRecord, "plan" | "placement" | "machine">,
  lines: Lines,
  cards: readonly (CellFigures & Parts)[],
  ceilings: readonly (Ceiling | null)[],
): MeasuredCell[] {
  const { plan } = run;
  const cardOf = new Map(cards.map((card) => [cellKey(card.cell), card]));
  return plan.cells.map((cell, place) => {
    const key = cellKey(cell);
    const solo = lines.solo.get(key) ?? [];
    const ok = solo.filter(({ status }) => status === "ok");
    const spread = variation(solo.flatMap((one) => rateOf(one) ?? []));
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
      marks: isAtRate(cell.point.at) ? atRateMarks(ok, cardOf.get(key)) : withoutFollowing([
        ...contradictionMarks(plan, cell, solo),
        ...judgeCell(ok, solo.length - ok.length, ceiling),
        ...workerMarks(ok, workersOf(cell.point.at), coresShared(run, cell)),
        ...otherReplies(checkedLoads(lines, key)),
        ...livesMarks(lines, key, ok),
      ]),
      steadiness: isAtRate(cell.point.at) ? "unknown" : steadinessOf(ok),
      cv: spread.kind === "known" ? spread.cv : null,
    };
  });
}
