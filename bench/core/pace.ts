import { type Plan, type PlannedObservation, stepLoadMs, stepName } from "./plan.ts";

/** How long steps take, learned as they are made. */
export interface Pace {
  note(step: PlannedObservation, wallMs: number): void;
  /** Milliseconds the steps ahead will take. */
  remainingMs(ahead: readonly PlannedObservation[]): number;
}

/** Milliseconds a server takes besides its load before any is made: starting, asking the oracle, stopping. */
const BESIDES_MS = 900;

/**
 * Learns how long steps take, to say how long the rest will. A step made before, with the same things to do, takes its own
 * mean again; another one what was expected of it, times what those of its kind took against what was expected of them.
 *
 * @param earlier the share of the expected time that steps took in an earlier run on this machine; 1 without
 */
export function paceOf(plan: Plan, earlier = 1): Pace {
  const spentMs = new Map<string, number[]>();
  const kinds = new Map<string, { spentMs: number; expectedMs: number }>();
  const nameOf = (step: PlannedObservation) => `${stepName(step)} ${step.alone}`;
  return {
    note(step, wallMs) {
      const name = nameOf(step);
      spentMs.set(name, [...(spentMs.get(name) ?? []), wallMs]);
      const kind = kinds.get(step.kind) ?? { spentMs: 0, expectedMs: 0 };
      kinds.set(step.kind, { spentMs: kind.spentMs + wallMs, expectedMs: kind.expectedMs + expectedMs(plan, step) });
    },
    remainingMs(ahead) {
      const all = [...kinds.values()].reduce(
        (sum, one) => ({ spentMs: sum.spentMs + one.spentMs, expectedMs: sum.expectedMs + one.expectedMs }),
        { spentMs: 0, expectedMs: 0 },
      );
      const overall = all.expectedMs === 0 ? earlier : all.spentMs / all.expectedMs;
      return ahead.reduce((sum, step) => {
        const times = spentMs.get(nameOf(step));
        if (times !== undefined) return sum + times.reduce((a, b) => a + b, 0) / times.length;
        const kind = kinds.get(step.kind);
        return sum + expectedMs(plan, step) * (kind === undefined ? overall : kind.spentMs / kind.expectedMs);
      }, 0);
    },
  };
}

/** Milliseconds a step is expected to take on a machine like the one the constants were seen on. */
export function expectedMs(plan: Plan, step: PlannedObservation): number {
  return stepLoadMs(plan, step) + BESIDES_MS * step.cells.length;
}
