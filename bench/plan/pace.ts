import { APP_AXIS } from "../record/cell.ts";
import type { Plan, PlannedObservation, PlanSubject } from "../record/plan.ts";
import type { Cell } from "../record/cell-schema.ts";
import { isSpareStep, isTimedStep, scheduleOf, stepLoadMs, stepName } from "./schedule.ts";

/** Estimates of the time of steps, learned as they are made. */
interface Pace {
  note(step: PlannedObservation, wallMs: number): void;
  remainingMs(ahead: readonly PlannedObservation[]): number;
  /** Returns the times of the steps by their kind, for later runs. */
  taken(): readonly TimeTaken[];
}

/** Default milliseconds of a server outside its load: starting, oracle, stopping. */
const BESIDES_MS = 900;

/**
 * Weight of the expected time, in servers. One server is a poor sample of all: after the warm-up of one scan the
 * estimate was twice the time of reference runs. With eight it was off by a third at most.
 */
const EXPECTED_COUNTS = 8;

/** Finished steps: their servers, their time, and the expected time. */
interface Made {
  readonly servers: number;
  readonly spentMs: number;
  readonly expectedMs: number;
}

/** Finished steps of one kind in a run, from which later runs on the same machine estimate. */
export interface TimeTaken extends Made {
  readonly suite: string;
  readonly kind: PlannedObservation["kind"];
  /** The kind of warm-up: steadiness takes an unknown time. */
  readonly warmup: Plan["warmup"]["kind"];
}

const NONE: Made = { servers: 0, spentMs: 0, expectedMs: 0 };

const plus = (a: Made, b: Made): Made => ({
  servers: a.servers + b.servers,
  spentMs: a.spentMs + b.spentMs,
  expectedMs: a.expectedMs + b.expectedMs,
});

/** Share of the expected time that more such steps will take, of which that much was expected before any was made. */
function shareOf({ servers, spentMs, expectedMs }: Made, before: number): number {
  if (servers === 0) return before;
  const weightMs = EXPECTED_COUNTS * expectedMs / servers;
  return (spentMs + before * weightMs) / (expectedMs + weightMs);
}

/**
 * Learns how long steps take, to say how long the rest will. A step made before, with the same things to do, takes its
 * mean again; another one what was expected of it, times what those of its kind took against what was expected of
 * them. What all took is expected of a kind none was made of. What is expected before any was made goes by earlier
 * runs.
 *
 * @param earlier steps of earlier runs on this machine; none if nothing is known
 */
export function paceOf(plan: Plan, earlier: readonly TimeTaken[] = []): Pace {
  const spentMs = new Map<string, number[]>();
  const kinds = new Map<TimeTaken["kind"], Made>();
  const shares = new Map<TimeTaken["kind"], number>();
  const nameOf = (step: PlannedObservation) => `${stepName(step)} ${step.alone} ${step.counted_ms}`;
  const shareBefore = (kind: TimeTaken["kind"]) => {
    const share = shares.get(kind) ?? earlierShare(plan, kind, earlier);
    shares.set(kind, share);
    return share;
  };
  const before = (step: PlannedObservation) => expectedMs(plan, step) * shareBefore(step.kind);
  return {
    note(step, wallMs) {
      const name = nameOf(step);
      spentMs.set(name, [...(spentMs.get(name) ?? []), wallMs]);
      const one = { servers: step.cells.length, spentMs: wallMs, expectedMs: before(step) };
      kinds.set(step.kind, plus(kinds.get(step.kind) ?? NONE, one));
    },
    remainingMs(ahead) {
      const overall = shareOf([...kinds.values()].reduce(plus, NONE), 1);
      return ahead.reduce((sum, step) => {
        const times = spentMs.get(nameOf(step));
        if (times !== undefined) return sum + times.reduce((a, b) => a + b, 0) / times.length;
        return sum + before(step) * shareOf(kinds.get(step.kind) ?? NONE, overall);
      }, 0);
    },
    taken: () =>
      [...kinds].map(([kind, made]) => ({
        suite: plan.suite.name,
        kind,
        warmup: plan.warmup.kind,
        ...made,
        expectedMs: made.expectedMs / shareBefore(kind),
      })),
  };
}

/**
 * Share of the expected time that steps of a kind took in earlier runs: of the same suite, of which that much was expected
 * as in all others.
 */
function earlierShare({ suite, warmup }: Plan, kind: TimeTaken["kind"], earlier: readonly TimeTaken[]): number {
  const alike = earlier.filter((taken) => taken.kind === kind && taken.warmup === warmup.kind);
  const [same, others] = [true, false].map((sameSuite) =>
    alike.filter((taken) => (taken.suite === suite.name) === sameSuite).reduce<Made>(plus, NONE)
  );
  return shareOf(same!, shareOf(others!, 1));
}

/** The expected milliseconds of a plan on such a machine, with spare rounds and those that its time may drop. */
export const plannedMs = (plan: Plan): number =>
  scheduleOf(plan).filter((step) => !isSpareStep(plan, step) && !isTimedStep(plan, step)).reduce(
    (sum, step) => sum + expectedMs(plan, step),
    0,
  );

/** Milliseconds a step is expected to take on a machine like the one the constants were seen on. */
export function expectedMs(plan: Plan, step: PlannedObservation): number {
  const starts = step.kind === "ceiling"
    ? 0
    : step.cells.reduce((sum, cell) => sum + startMs(plan, cell), plan.rest_ms ?? 0);
  return stepLoadMs(plan, step) + BESIDES_MS * step.cells.length + starts;
}

/** Returns the milliseconds that a user's server took to be ready when it was tried; 0 if unknown. */
function startMs({ suite: { own: spec } }: PlanSubject, { point: { at } }: Cell): number {
  const found = spec?.starts.find(({ app, runtime }) =>
    app === at[APP_AXIS] && (runtime ?? at["runtime"]) === at["runtime"]
  );
  return found?.ms ?? 0;
}
