import { median } from "./median.ts";
import { thresholds } from "./thresholds.ts";
import { type Trend, trend } from "./trend.ts";

/** How far a fixed piece of work, timed once a round, moved over a run. */
export type CanaryDrift =
  | {
    readonly kind: "steady" | "drifting";
    readonly n: number;
    /** Greatest minus least value, relative to the median: 0.1 is 10 %. */
    readonly spread: number;
    readonly trend: Trend;
  }
  | { readonly kind: "unknown"; readonly n: number; readonly reason: string };

/**
 * The drift of a canary over the rounds of a run, from one positive value a round (time or rate, in any unit).
 *
 * A drifting canary proves that the machine changed. A steady one proves nothing: CPUs of shared machines were seen to
 * change speed by 7 to 17 % from second to second while the canary before each trial stood still.
 */
export function canaryDrift(values: readonly number[]): CanaryDrift {
  const n = values.length;
  if (n < 2) return { kind: "unknown", n, reason: `${n} of the two values needed` };
  const wrong = values.find((value) => !(value > 0 && Number.isFinite(value)));
  if (wrong !== undefined) return { kind: "unknown", n, reason: `value "${wrong}" is not positive` };
  const spread = (Math.max(...values) - Math.min(...values)) / median(values);
  const overRounds = trend(values);
  const drifting = spread > thresholds.canarySpread.value || (overRounds.kind === "known" && overRounds.flagged);
  return { kind: drifting ? "drifting" : "steady", n, spread, trend: overRounds };
}
