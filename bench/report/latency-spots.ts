/** The points of a latency curve with their evidence, for pictures and pages. It takes no library, because the page runs it too. */
import { RATE } from "../record/cell.ts";
import type { CellCard } from "../record/card.ts";
import type { LatencyCell } from "../record/latency-schema.ts";
import { counted, dash, formatRate, formatUs, percent } from "../basics/units.ts";

/** A point of the curve. */
export interface LatencySpot {
  /** `50%`, `1000`, `step 3 (bisect)`. */
  readonly name: string;
  /** Requests per second that were due. */
  readonly perSecond: number;
  /** From when requests were due, in microseconds; null if the generator counts from when it sent them. */
  readonly us: number | null;
  /** The median over windows at a rate, or a step of the search by whether the limit held; `unknown` if it was not judged. */
  readonly kind: "rate" | "holds" | "fails" | "unknown";
  readonly answeredShare: number | null;
  /** Due and never sent. */
  readonly dropped: number | null;
  /** From when requests were sent, in microseconds; null if it was not measured. */
  readonly sentUs: number | null;
  /** The interval of the median over windows; null for too few windows. */
  readonly interval: { readonly low_us: number; readonly high_us: number } | null;
  /** Its evidence in one line. */
  readonly text: string;
}

/** Returns the points of one server: its cards at rates, then the steps of its search; those without a latency are left out. */
export function latencySpots({ knee }: Pick<LatencyCell, "knee">, atRates: readonly CellCard[]): LatencySpot[] {
  const answered = (share: number | null) => share === null ? "" : `, ${percent(share)} answered`;
  return [
    ...atRates.flatMap(({ cell, open_loop: loop, observations, observations_ok }): LatencySpot[] => {
      const { due, sent } = loop?.by_clock ?? {};
      const [p99, sentUs] = [due?.p99 ?? null, sent?.p99?.us ?? null];
      const name = String(cell.point.at[RATE]);
      return loop === undefined || (p99 ?? sentUs) === null ? [] : [{
        name,
        perSecond: loop.offered_per_second,
        us: p99?.us ?? null,
        kind: "rate",
        answeredShare: loop.answered_share,
        dropped: loop.dropped,
        sentUs,
        interval: p99 === null || p99.coverage === null ? null : p99,
        text: `${name}: ${formatRate(loop.offered_per_second)} req/s, p99 ${dash(p99?.us, formatUs)}` +
          `${answered(loop.answered_share)}, ${observations_ok} of ${counted(observations, "window")}`,
      }];
    }),
    ...(knee?.steps ?? []).flatMap((step, n): LatencySpot[] =>
      step.us === null ? [] : [{
        name: `step ${n + 1} (${step.why})`,
        perSecond: step.per_second,
        us: step.us,
        kind: step.holds === null ? "unknown" : step.holds ? "holds" : "fails",
        answeredShare: step.sent_share,
        dropped: step.dropped ?? null,
        sentUs: null,
        interval: null,
        text: `step ${n + 1} (${step.why}): ${formatRate(step.per_second)} req/s, ${formatUs(step.us)}` +
          `${answered(step.sent_share)}${step.reasons.length === 0 ? "" : `; ${step.reasons.join("; ")}`}`,
      }]
    ),
  ];
}
