import { parseLimit } from "../../basics/units.ts";
import { linesOfCell } from "../../plan/generator-windows.ts";
import type { Plan } from "../../record/plan.ts";
import type { LatencyBetween } from "../../record/latency-between.ts";
import type { LatencyCell } from "../../record/latency-cell.ts";
import type { Observation } from "../../record/observation-record.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { Summary } from "../../record/summary.ts";
import { kneeStepOf } from "../../plan/knee-step.ts";
import { isTailRound, ratesAlong } from "../../plan/rate-windows.ts";
import { medianOfKnown } from "../../statistics/median.ts";
import { betweenCells } from "./between-cells.ts";
import { contradictionsOf, noSentence } from "./contradictions.ts";
import { connectionRows, kneeOf, tailRows } from "./rows.ts";
import { waitClaimOf, waitSentence } from "./wait-sentence.ts";

/** What the lines of a plan with the axis `rate` say of each cell; undefined for any other plan. */
export function latencyCells(
  plan: Plan,
  lines: readonly Observation[],
  nameOf: (place: number) => string,
): LatencyCell[] | undefined {
  const { further } = plan;
  if (further?.axis !== "rate") return undefined;
  const limit = parseLimit(further.limit) ?? null;
  return plan.cells.map((cell, place) => {
    const own = linesOfCell(lines, cell);
    const capacity = capacityIn(plan, own);
    const searched = own.find(({ round }) => round === plan.rounds - 2)?.windows ?? [];
    const steps = limit === null ? [] : searched.map((window) => kneeStepOf(window, limit));
    const found = {
      capacity_per_second: capacity,
      tails: tailRows(own, ratesAlong(further)),
      knee: limit === null || capacity === null ? null : kneeOf(steps, capacity),
      connections: connectionRows(own, further.connections),
    };
    const contradictions = contradictionsOf({ ...found, observations: own });
    const claim = contradictions.length === 0
      ? waitClaimOf(found, limit)
      : { waits: null, holds: null, none: noSentence(contradictions) };
    return {
      name: nameOf(place),
      ...found,
      sentence: waitSentence(claim),
      claim,
      ...(contradictions.length === 0 ? {} : { contradictions }),
    };
  });
}

/** The median of a cell's closed-loop rate over the rounds of its tails; null where none was sound. */
export function capacityIn(plan: Pick<Plan, "rounds">, own: readonly Observation[]): number | null {
  const sound = own.filter(({ round, status }) => isTailRound(plan, round) && status === "ok");
  return medianOfKnown(sound.map(({ load }) => load?.requests_per_second));
}

/** What a run says of latency, as its table, its picture and its page take it. */
export interface LatencyReport {
  readonly run: RunRecord;
  readonly limit: string;
  /** What kept the rates. */
  readonly generator: string;
  readonly cells: readonly LatencyCell[];
  /** Undefined for one cell. */
  readonly between: LatencyBetween | undefined;
}

/**
 * The same of a run as it was published; undefined where it has no axis `rate`. Runs of earlier versions say nothing of cells
 * beside each other: what follows is made from their figures.
 */
export function latencyReport(
  run: RunRecord,
  { latency: cells, latency_between: between }: Pick<Summary, "latency" | "latency_between">,
): LatencyReport | undefined {
  const { further } = run.plan;
  if (further?.axis !== "rate" || cells === undefined) return undefined;
  return { run, limit: further.limit, generator: further.generator, cells, between: between ?? betweenCells(cells) };
}
