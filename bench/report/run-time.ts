import { counted, formatDurationMs, percent } from "../basics/units.ts";
import { voidedByOthers } from "../judge/status.ts";
import type { Observation } from "../record/observation-record.ts";

type MadeStep = Pick<Observation, "wall_ms" | "status" | "marks" | "warmup" | "members">;

/** Share of the estimate by which it may be off before it is corrected for the first time. */
const FAR_OFF = 1 / 5;
/** The factor by which an expected time may differ from the one printed last before it is corrected. */
const FAR_AGAIN = 1.5;
/** Share of the estimate that steps must have taken before it is corrected. */
const FIRST_STEPS = 1 / 20;
/** Share of the time from which warm-ups are named as the cause of a long run. */
const MUCH_WARMUP = 1 / 2;

/** Follows the time of a run from its first step on, against the estimate before it. */
export function runTime() {
  let estimateMs: number | null = null, printedMs = 0, spentMs = 0, allMs = 0, warmupMs = 0;
  let steps = 0, voided = 0;
  const eaten = () => {
    if (voided > 0) return `, as others voided ${voided} of ${counted(steps, "observation")}`;
    return warmupMs <= MUCH_WARMUP * spentMs ? "" : `, ${percent(warmupMs / spentMs, 0)} of it so far for warm-ups`;
  };
  return {
    /** Returns a sentence if the last printed time is far off, with the cause; else null. */
    stepBegins(remainingMs: number): string | null {
      estimateMs ??= printedMs = remainingMs;
      allMs = spentMs + remainingMs;
      if (spentMs < FIRST_STEPS * estimateMs) return null;
      const times = allMs / printedMs;
      const isFar = printedMs === estimateMs ? Math.abs(times - 1) > FAR_OFF : Math.max(times, 1 / times) > FAR_AGAIN;
      if (!isFar) return null;
      printedMs = allMs;
      return allMs > estimateMs
        ? `this machine needs longer than estimated: about ${formatDurationMs(allMs)} in all${eaten()}`
        : `this machine needs less time than estimated: about ${formatDurationMs(allMs)} in all`;
    },
    stepEnds(made: MadeStep) {
      steps++;
      spentMs += made.wall_ms;
      if (voidedByOthers(made)) voided++;
      const loads = [made.warmup, ...made.members.map(({ warmup }) => warmup)];
      warmupMs += loads.reduce((sum, load) => sum + (load?.duration_us ?? 0) / 1_000, 0);
    },
    /** Share of the run's time that is over when so much is left. */
    shareDone: (remainingMs: number) => allMs === 0 ? 0 : 1 - Math.min(remainingMs, allMs) / allMs,
  };
}
