import { haltFaults, isOnlyAlone } from "../judge/halts.ts";
import { timedWork } from "../judge/timed-work.ts";
import { leaveCoreIdle, waitingServers } from "../judge/waiting.ts";
import { endedCells, lostToOthers, voidedByOthers } from "../judge/status.ts";
import { cellKey } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { allotment } from "./allotment.ts";
import { mostRounds, type PlanRounds } from "./plan-rounds.ts";
import { isSettling, isSpareStep, isTimedStep, scheduleOf, settleRound, stepName } from "./schedule.ts";
import { type Solo, solosOf } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";

/**
 * Returns the steps that remain after some lines, in their order. A step of a spare round is made if other processes
 * voided the same step, or its cell's load alone before an ensemble. Only marks of their use of the machine decide,
 * never the figures. So the choice of rounds is unbiased, and the lines before a step prove that it had to be made.
 *
 * @param steps the plan's schedule
 */
export function stepsAhead(
  plan: Plan,
  lines: readonly Observation[],
  steps: readonly PlannedObservation[] = scheduleOf(plan),
): PlannedObservation[] {
  const made = new Map(lines.map((line) => [line.index, line]));
  const allotted = allottedBefore(plan, lines);
  const ahead = stepsAsMade(plan, lines, steps.filter(({ index }) => !made.has(index)))
    .filter((step) => !isTimedStep(plan, step) || step.round < (allotted(step.round)?.rounds ?? 0))
    .filter(({ ended, kind, cells }) => {
      const left = cells.filter((cell) => ended?.has(cellKey(cell)) !== true);
      return ended === undefined || left.length > (kind === "ensemble" ? 1 : 0);
    });
  if (plan.spare_rounds === undefined) return ahead;
  // No spare round makes up for one of a settle.
  const isOwn = (step: { readonly round: number }) => !isSettling(plan, step);
  const voidedAlone = Map.groupBy(
    lines.filter(isOwn).flatMap(solosOf).filter(voidedByOthers),
    ({ member }) => cellKey(member.cell),
  );
  const calledFor = new Set<number>();
  for (const alike of Map.groupBy(steps.filter(isOwn), stepName).values()) {
    const [{ kind, cells }] = alike as [PlannedObservation];
    const voided = kind === "solo"
      ? voidedAlone.get(cellKey(cells[0]!)) ?? []
      : alike.filter(({ index }) => made.has(index) && lostToOthers(made.get(index)!));
    const spare = alike.filter((step) => isSpareStep(plan, step));
    const ok = alike.filter(({ index }) => made.has(index)).length - voided.length;
    // A plan with a time makes up for a lost round in it; a spare one only gives a verdict its least rounds.
    const needed = plan.timed === undefined || kind !== "ensemble" ? voided.length : plan.rounds - ok;
    for (const { index } of spare.slice(0, Math.max(0, Math.min(voided.length, needed)))) calledFor.add(index);
  }
  return ahead.filter((step) => !isSpareStep(plan, step) || calledFor.has(step.index));
}

/** Returns the allotment that holds in a round: by the lines of the rounds before it. */
function allottedBefore(plan: Plan, lines: readonly Observation[]) {
  const found = new Map<number, ReturnType<typeof allotment>>();
  return (round: number) => {
    // Rounds ahead have the same lines before them.
    const first = Math.min(round, 1 + Math.max(-1, ...lines.map((line) => line.round)));
    if (!found.has(first)) found.set(first, allotment(plan, lines.filter((line) => line.round < first)));
    return found.get(first)!;
  };
}

/** So many times as long are windows of servers measured alone for bursts of work as long as a turn. */
const BURSTS_TIMES = 4;

/**
 * Returns steps as they are made after some lines: servers that bear no halts, that time makes work or that wait are
 * measured alone only, from then on, functions that gave another result and servers that hang are not measured any more,
 * and the windows of a plan with a time are as long as the rounds before advise. Errors, statuses, times and spreads
 * decide, and costs of one server in its turns, never what is compared.
 */
export function stepsAsMade(
  plan: Plan,
  lines: readonly Observation[],
  steps: readonly PlannedObservation[],
): PlannedObservation[] {
  const ended = endedCells(plan, lines);
  const all = ended.size === 0 ? steps : steps.map((step) => ({ ...step, ended }));
  if (plan.further !== undefined || plan.ensembles.length === 0) return [...all];
  const allotted = allottedBefore(plan, lines);
  const cellsOf = (cells: readonly Cell[]) => JSON.stringify(cells.map(cellKey));
  const together = lines.filter(({ kind }) => kind === "ensemble");
  const apart = new Map(
    [...Map.groupBy(together, ({ members }) => cellsOf(members.map(({ cell }) => cell)))].flatMap(([cells, same]) => {
      const timed = timedWork(same);
      // A window has to hold several bursts.
      if (timed.some(({ bursts }) => bursts !== null)) {
        return [[cells, { counted_ms: BURSTS_TIMES * plan.duration_ms }] as const];
      }
      const isApart = same.some(isOnlyAlone) || haltFaults(same) !== null || timed.length > 0 ||
        waitingServers(same).length > 0 || leaveCoreIdle(same);
      return isApart ? [[cells, {}] as const] : [];
    }),
  );
  return all.map((step) => {
    if (step.kind !== "ensemble") return step;
    const longer = apart.get(cellsOf(step.cells));
    if (longer !== undefined) return { ...step, alone: true, apart: true, ...longer };
    const counted_ms = isSettling(plan, step) ? undefined : allotted(step.round)?.countedMs;
    return counted_ms === undefined ? step : { ...step, counted_ms };
  });
}

/**
 * Returns the steps of spare rounds that will be made besides those called for, if others void as large a share of what is
 * ahead as of what was made. Each remade step may be voided again.
 */
export function sparesExpected(
  plan: Plan,
  lines: readonly Observation[],
  ahead: readonly PlannedObservation[],
  steps: readonly PlannedObservation[] = scheduleOf(plan),
): PlannedObservation[] {
  const judged = lines.filter(({ kind }) => kind !== "ceiling");
  const voided = judged.filter(lostToOthers).length;
  if (plan.spare_rounds === undefined || voided === 0) return [];
  const known = new Set([...lines, ...ahead].map(({ index }) => index));
  const left = steps.filter((step) => isSpareStep(plan, step) && step.kind !== "ceiling" && !known.has(step.index));
  const times = voided === judged.length ? Infinity : voided / (judged.length - voided);
  const more = Math.round(times * ahead.filter((step) => !isSettling(plan, step)).length);
  return more === 0 ? [] : left.slice(0, Math.min(left.length, more));
}

/** Returns the loads of a cell alone, without those that other processes voided and spare rounds replaced. */
export function withoutMadeUp(plan: PlanRounds, solos: readonly Solo[]): Solo[] {
  const madeUp = solos.filter((solo) => isSpareStep(plan, solo) && !voidedByOthers(solo)).length;
  const left = new Set(solos.filter(voidedByOthers).slice(0, madeUp));
  return solos.filter((solo) => !left.has(solo));
}

/** Which step of how many a step is, and of which round, in words. */
export function remadeText(
  plan: PlanRounds & Pick<Plan, "settles">,
  { index, round }: Pick<PlannedObservation, "index" | "round">,
  total: number,
): { readonly step: string; readonly round: string } {
  if (isSettling(plan, { round })) return { step: "settle", round: settleRound(plan, { round }) };
  return isSpareStep(plan, { round })
    ? { step: "spare", round: `round ${round - mostRounds(plan) + 1} of at most ${plan.spare_rounds}` }
    : plan.timed === undefined
    ? { step: `${index + 1}/${total}`, round: `round ${round + 1}/${plan.rounds}` }
    : { step: String(index + 1), round: `round ${round + 1}` };
}
