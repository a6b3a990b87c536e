/** The closed loop of a server, the search for its knee, and its curve over connections. */
import { parseLimit } from "../../basics/units.ts";
import { standsAt } from "../../plan/generator-windows.ts";
import { searchKnee } from "../../plan/knee.ts";
import { asSearched, isSound, kneeStepOf, latencyAt } from "../../plan/knee-step.ts";
import { type RateAxis, roundKind } from "../../plan/rate-windows.ts";
import type { ConnectionsRow, LatencyCell } from "../../record/latency-schema.ts";
import type { Observation, Window } from "../../record/observation-record.ts";
import type { Plan } from "../../record/plan.ts";
import { medianOfKnown } from "../../statistics/median.ts";

/** An observation of a closed loop, with the windows after it. */
export interface ClosedLoop extends Pick<Observation, "round" | "status" | "bound" | "load"> {
  readonly windows?: readonly Window[] | undefined;
}

/** Returns what the observations of one server say besides the figures at rates. */
export function ratesOfCell(
  plan: Pick<Plan, "rounds">,
  axis: RateAxis,
  own: readonly ClosedLoop[],
): Pick<LatencyCell, "capacity_per_second" | "knee" | "connections"> {
  const limit = axis.limit === null ? null : parseLimit(axis.limit) ?? null;
  const capacity = capacityIn(plan, axis, own);
  const searched = own.find(({ round }) => roundKind(plan, axis, round) === "search")?.windows ?? [];
  return {
    capacity_per_second: capacity,
    knee: limit === null || capacity === null
      ? null
      : kneeOf(searched.map((window) => kneeStepOf(window, limit)), capacity),
    connections: connectionRows(own, axis.connections),
  };
}

/** Returns the median of a server's closed-loop rate over the rounds at rates; null without a sound one. */
export function capacityIn(
  plan: Pick<Plan, "rounds">,
  axis: RateAxis,
  own: readonly Pick<ClosedLoop, "round" | "status" | "load">[],
): number | null {
  const sound = own.filter(({ round, status }) => roundKind(plan, axis, round) === "rates" && status === "ok");
  return medianOfKnown(sound.map(({ load }) => load?.requests_per_second));
}

/** Returns the curve of a closed loop over its connections. */
function connectionRows(observations: readonly ClosedLoop[], counts: readonly number[]): ConnectionsRow[] {
  const all = observations.flatMap(({ windows = [] }) => windows);
  return counts.flatMap((connections) => {
    const own = all.filter(standsAt({ connections }));
    if (own.length === 0) return [];
    const good = own.filter(isSound);
    return [{
      connections,
      requests_per_second: medianOfKnown(good.map(({ load }) => load!.requests_per_second)),
      p50_us: medianOfKnown(good.map((window) => latencyAt(window, 0.5))),
      p99_us: medianOfKnown(good.map((window) => latencyAt(window, 0.99))),
      reasons: [...new Set(own.flatMap(({ marks }) => marks.map(({ text }) => text)))],
    }];
  });
}

/** Returns the knee that the steps found, or why it is open. */
export function kneeOf(
  steps: readonly ReturnType<typeof kneeStepOf>[],
  capacity: number,
): NonNullable<LatencyCell["knee"]> {
  const end = searchKnee(asSearched(steps), capacity);
  return {
    per_second: end.kind === "found" ? end.perSecond : null,
    capped: end.kind === "found" && end.capped,
    share_of_capacity: end.kind === "found" ? end.perSecond / capacity : null,
    why: end.kind === "open" ? end.why : end.kind === "try" ? "the search was stopped" : null,
    steps: [...steps],
  };
}
