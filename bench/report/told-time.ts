import { formatDurationMs } from "../basics/units.ts";

/** How long a run takes, held against what was told of it before its first step. */
interface ToldTime {
  /** A step begins, and all that is left takes so long. A sentence where what was told is far off, once; else null. */
  stepBegins(remainingMs: number): string | null;
  stepEnds(wallMs: number): void;
  /** Share of the run's time that is over when so much is left. */
  shareDone(remainingMs: number): number;
}

/** Share of what was told from which it is corrected. */
const FAR_OFF = 1 / 5;
/** Share of it that steps must have taken before they say so. */
const FIRST_STEPS = 1 / 20;

/** Follows a run from its first step on. */
export function toldTime(): ToldTime {
  let toldMs: number | null = null, spentMs = 0, allMs = 0, corrected = false;
  return {
    stepBegins(remainingMs) {
      toldMs ??= remainingMs;
      allMs = spentMs + remainingMs;
      const known = spentMs >= FIRST_STEPS * toldMs;
      if (corrected || !known || Math.abs(allMs - toldMs) <= FAR_OFF * toldMs) return null;
      corrected = true;
      const amount = allMs > toldMs ? "longer" : "less time";
      return `this machine needs ${amount} than told: about ${formatDurationMs(allMs)} in all`;
    },
    stepEnds: (wallMs) => void (spentMs += wallMs),
    shareDone: (remainingMs) => allMs === 0 ? 0 : 1 - Math.min(remainingMs, allMs) / allMs,
  };
}
