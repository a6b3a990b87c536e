import { percent } from "../basics/units.ts";
import { median } from "../statistics/median.ts";
import { lossText } from "../statistics/lacks.ts";
import { variation } from "../statistics/variation.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import { judgedDoubtful, judgedUnknown, judgedWell, seenRow } from "./row.ts";
import type { CanaryFacts } from "./watch.ts";

/** The row on the canary: a fixed piece of work, repeated, that should take the same time every time. */
export const CANARY_ROW = {
  canary: seenRow("Canary", "how steady the CPU is was not seen", {
    seen: (_, watch) => watch?.canary ?? null,
    judge(canary) {
      const varied = canaryVariation(canary);
      if ("unknown" in varied) return judgedUnknown(varied.unknown);
      const where = canary.cpu === null ? "not pinned" : `on CPU ${canary.cpu}`;
      const middle = median(canary.wallMs);
      const slowest = Math.max(...canary.wallMs) / middle - 1;
      const seen = `${canary.wallMs.length} × ${middle.toFixed(1)} ms ${where}: CV ${percent(varied.cv)}, ` +
        `slowest ${percent(slowest)} over the median`;
      if (varied.cv <= DOCTOR_LIMITS.canaryCv) return judgedWell(seen);
      const why = varied.of === "cpu" ? "the CPU changes speed within a second" : "others take the CPU in between";
      return judgedDoubtful(seen, null, `${why}: small differences need servers measured together, not one at a time`);
    },
    needed: "the canary",
    shared(canary) {
      const varied = canaryVariation(canary);
      if ("unknown" in varied) return `the canary tells nothing (${varied.unknown})`;
      return varied.cv > DOCTOR_LIMITS.canaryCv ? `a fixed piece of work varies by ${percent(varied.cv)} (CV)` : null;
    },
  }),
};

/** Returns the variation of a canary's times, as a fraction of their mean; or why it is unknown. */
function canaryVariation(canary: CanaryFacts): { cv: number; of: "cpu" | "wall" } | { unknown: string } {
  const n = canary.wallMs.length;
  if (n < DOCTOR_LIMITS.leastCanaryRepeats) {
    return { unknown: `${n} of ${DOCTOR_LIMITS.leastCanaryRepeats} repeats made` };
  }
  const wall = variation(canary.wallMs), cpu = variation(canary.cpuMs);
  if (wall.kind === "unknown") return { unknown: lossText(wall.lack) };
  // CPU time that varies as much as wall time means the CPU changed speed; otherwise others took it.
  return { cv: wall.cv, of: cpu.kind === "known" && cpu.cv >= wall.cv / 2 ? "cpu" : "wall" };
}
