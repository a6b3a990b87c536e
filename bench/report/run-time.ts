import { formatDurationMs } from "../basics/units.ts";

/** The time a run takes, compared with the estimate before its first step. */
interface RunTime {
  /** A step begins, and the rest takes so many milliseconds. Returns a sentence once if the estimate is far off, else null. */
  stepBegins(remainingMs: number): string | null;
  stepEnds(wallMs: number): void;
  /** Share of the run's time that is over when so much is left. */
  shareDone(remainingMs: number): number;
}

/** Share of the estimate by which it may be off before it is corrected. */
const FAR_OFF = 1 / 5;
/** Share of the estimate that steps must have taken before it is corrected. */
const FIRST_STEPS = 1 / 20;

/** Follows a run from its first step on. */
export function runTime(): RunTime {
  let estimateMs: number | null = null, spentMs = 0, allMs = 0, corrected = false;
  return {
    stepBegins(remainingMs) {
      estimateMs ??= remainingMs;
      allMs = spentMs + remainingMs;
      const known = spentMs >= FIRST_STEPS * estimateMs;
      if (corrected || !known || Math.abs(allMs - estimateMs) <= FAR_OFF * estimateMs) return null;
      corrected = true;
      const amount = allMs > estimateMs ? "longer" : "less time";
      return `this machine needs ${amount} than estimated: about ${formatDurationMs(allMs)} in all`;
    },
    stepEnds: (wallMs) => void (spentMs += wallMs),
    shareDone: (remainingMs) => allMs === 0 ? 0 : 1 - Math.min(remainingMs, allMs) / allMs,
  };
}
