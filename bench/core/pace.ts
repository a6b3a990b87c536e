import { type Plan, type PlannedObservation, stepLoadMs, stepName } from "./plan.ts";

/** How long steps take, learned as they are made. */
export interface Pace {
  note(step: PlannedObservation, wallMs: number): void;
  /** Milliseconds the steps ahead will take. */
  remainingMs(ahead: readonly PlannedObservation[]): number;
}

/** Milliseconds a step takes beyond its load before any is made: starting, asking the oracle, stopping. */
const FIRST_GUESS_MS = 700;

/**
 * Learns how long steps take, to say how long the rest will: a step made before takes its own mean again, another one its
 * load and what steps took beyond theirs.
 */
export function paceOf(plan: Plan): Pace {
  const spentMs = new Map<string, number[]>();
  let beyondMs = 0, count = 0;
  return {
    note(step, wallMs) {
      const name = stepName(step);
      spentMs.set(name, [...(spentMs.get(name) ?? []), wallMs]);
      beyondMs += wallMs - stepLoadMs(plan, step);
      count++;
    },
    remainingMs(ahead) {
      const beyond = count === 0 ? FIRST_GUESS_MS : beyondMs / count;
      return ahead.reduce((sum, step) => {
        const times = spentMs.get(stepName(step));
        if (times === undefined) return sum + stepLoadMs(plan, step) + beyond;
        return sum + times.reduce((a, b) => a + b, 0) / times.length;
      }, 0);
    },
  };
}
