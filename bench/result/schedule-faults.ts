/** Lines of a run against its plan: each step once, in its order, in its time, with the windows that follow from the others. */
import { isOnlyAlone } from "../judge/halts.ts";
import { closedLoopsOf } from "../judge/lines.ts";
import { capacityIn, isWindowAt, nextRateWindow, type RateWindow, windowsByTurns } from "../plan/rate-windows.ts";
import { mostRounds } from "../plan/plan-rounds.ts";
import { isSpareStep, isTimedStep, orderOf, scheduleOf, stepText } from "../plan/schedule.ts";
import { stepsAhead, stepsAsMade } from "../plan/spare-rounds.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { cellKey } from "../record/cell.ts";
import type { Observation, Window } from "../record/observation-record.ts";
import type { PlannedObservation } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import { counted } from "../basics/units.ts";
import { isAnswered, stepsDue } from "./steps-due.ts";

/** Returns a sentence for each step that is missing, repeated, out of order, or not the planned one. */
export function scheduleFaults(
  run: RunRecord,
  lines: readonly Observation[],
): string[] {
  const { plan, state } = run;
  const faults: string[] = [];
  const steps = scheduleOf(plan);
  const seen = new Set<number>();
  let last = -1;
  for (const [n, line] of lines.entries()) {
    if (seen.has(line.index)) faults.push(`step ${line.index} stands twice in journal.ndjson`);
    else if (line.index < last) faults.push(`step ${line.index} stands after step ${last}`);
    seen.add(line.index);
    last = Math.max(last, line.index);
    const planned = steps[line.index];
    const [step] = planned === undefined ? [] : stepsAsMade(plan, lines.slice(0, n), [planned]);
    if (step === undefined) faults.push(`step ${line.index} was never planned`);
    else if (!isLineOf(line, step)) faults.push(`step ${line.index} is not the planned one: ${stepText(plan, step)}`);
    else if (
      (isSpareStep(plan, step) || isTimedStep(plan, step)) &&
      !stepsAhead(plan, lines.slice(0, n), steps).some(({ index }) => index === step.index)
    ) {
      faults.push(
        isTimedStep(plan, step)
          ? `step ${line.index} is of a round that the plan's time does not allow`
          : `step ${line.index} is a spare one, and others voided none that it makes up for`,
      );
    }
  }
  const sure = (plan.timed?.looks ?? []).find((look) => isAnswered(run, lines.filter(({ round }) => round < look)));
  if (sure !== undefined && lines.some(({ round }) => round >= sure && round < mostRounds(plan))) {
    faults.push(`the run goes on after ${counted(sure, "round")}, though the look at its verdicts had ended it`);
  }
  if (state === "finished") {
    for (const step of stepsDue(run, lines, steps)) {
      faults.push(`step ${step.index} (${stepText(plan, step)}) is missing`);
    }
  }
  return faults;
}

function isLineOf(line: Observation, step: PlannedObservation): boolean {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return line.round === step.round && line.kind === step.kind && line.purpose === step.purpose &&
    line.alone === step.alone && (step.apart !== true || line.status !== "ok" || isOnlyAlone(line)) &&
    line.draw_seed === step.draw_seed && line.counted_ms === step.counted_ms &&
    same(line.order, orderOf(step.cells.length, step.round)) &&
    same(line.members.map(({ cell }) => cellKey(cell)), step.cells.map(cellKey));
}

/** Milliseconds by which a wall clock may differ from a steady one after so many: a cut digit, and what NTP slews. */
const clockSlackMs = (ms: number) => 1 + THRESHOLDS.clockStepMs + 0.0005 * ms;

/** Returns a sentence for each step that begins before the one before has ended, or lies outside the run. */
export function timeFaults({ started_at, finished_at, state }: RunRecord, lines: readonly Observation[]): string[] {
  const faults: string[] = [];
  if ((state === "running") !== (finished_at === null)) faults.push(`the run is ${state} and ended ${finished_at}`);
  let ended = Date.parse(started_at), before = "the run began";
  let slack = clockSlackMs(0);
  for (const { index, started_at, wall_ms } of lines) {
    const began = Date.parse(started_at);
    const early = ended - began;
    if (early > slack) faults.push(`step ${index} began ${early.toFixed(0)} ms before ${before}`);
    ended = began + wall_ms;
    before = `step ${index} had ended`;
    slack = clockSlackMs(wall_ms);
  }
  const late = finished_at === null ? 0 : ended - Date.parse(finished_at);
  if (late > slack) faults.push(`the run ended ${late.toFixed(0)} ms before ${before}`);
  return faults;
}

/** Returns a sentence for each line whose windows along the plan's further axis are not those that measuring would have chosen. */
export function windowFaults({ plan }: Pick<RunRecord, "plan">, lines: readonly Observation[]): string[] {
  const { further } = plan;
  if (further === undefined) return [];
  const steps = scheduleOf(plan);
  return lines.flatMap((line, n) => {
    const { index, load, windows = [], members } = line;
    const step = steps[index];
    const fault = (place: number) =>
      `step ${index}: window ${place + 1} is not the one that follows from what was measured before`;
    if (line.kind === "ensemble" && line.status === "ok") {
      const place = placeOfOther(line, windowsByTurns(plan, line, members));
      return place < 0 ? [] : [fault(place)];
    }
    if (line.kind !== "solo" || line.status !== "ok" || load === null || step === undefined) return [];
    const nextOf = (made: readonly Window[]) => {
      const capacity = capacityIn(plan, further, closedLoopsOf(lines.slice(0, n), members[0]!.cell));
      return nextRateWindow(plan, further, step, { closedRate: load.requests_per_second, capacity, windows: made });
    };
    const place = [...windows, undefined].findIndex((window, made) => !isNext(window, nextOf(windows.slice(0, made))));
    return place < 0 ? [] : [fault(place)];
  });
}

/** A window that is due; without a rate in a closed loop. */
interface DueWindow extends Pick<RateWindow, "at" | "member"> {
  readonly perSecond?: number | undefined;
}

function isNext(window: Window | undefined, next: DueWindow | null): boolean {
  if (window === undefined || next === null) return window === undefined && next === null;
  return isWindowAt(next.at)(window) && window.member === next.member &&
    (window.per_second ?? null) === (next.perSecond ?? null);
}

/** Returns the place of the first window by turns that was not due; -1 if all were. Servers left out have no more. */
function placeOfOther({ members, windows = [] }: Observation, due: readonly RateWindow[]): number {
  let made = 0;
  for (const next of due) {
    if (isNext(windows[made], next)) made++;
    else if (members[next.member!]!.marks.length === 0) return made;
  }
  return made < windows.length ? made : -1;
}
