/** The points of a latency curve with their evidence, for pictures and pages. It takes no library, because the page runs it too. */
import type { LatencyCell } from "../record/latency-cell.ts";
import { counted, formatRate, formatUs, percent } from "../basics/units.ts";

/** A point of the curve. */
export interface LatencySpot {
  /** What it is: `50 %`, `step 3 (bisect)`. */
  readonly name: string;
  /** Requests a second that were due. */
  readonly perSecond: number;
  /** From when they were due. */
  readonly us: number;
  /** Of a tail the median over windows; of a step whether the limit held, `unknown` where that cannot be said. */
  readonly kind: "tail" | "holds" | "fails" | "unknown";
  readonly answeredShare: number | null;
  /** Due and never sent. */
  readonly dropped: number | null;
  /** The same by the sender's clock; null where not measured. */
  readonly senderUs: number | null;
  /** Where the median over windows lies; null where nobody can say. */
  readonly interval: { readonly low_us: number; readonly high_us: number } | null;
  /** Its evidence in one line. */
  readonly text: string;
}

/** Tails, then the steps of the search; what has no latency has no place. */
export function latencySpots({ tails, knee }: Pick<LatencyCell, "tails" | "knee">): LatencySpot[] {
  const answered = (share: number | null) => share === null ? "" : `, ${percent(share)} answered`;
  return [
    ...tails.flatMap((row): LatencySpot[] =>
      row.p99_us === null ? [] : [{
        name: row.name,
        perSecond: row.offered_per_second,
        us: row.p99_us,
        kind: "tail",
        answeredShare: row.sent_share,
        dropped: row.dropped,
        senderUs: row.sender_p99_us,
        interval: row.p99_interval ?? null,
        text: `${row.name}: ${formatRate(row.offered_per_second)} req/s, p99 ${formatUs(row.p99_us)}` +
          `${answered(row.sent_share)}, ${row.sound} of ${counted(row.windows, "window")}`,
      }]
    ),
    ...(knee?.steps ?? []).flatMap((step, n): LatencySpot[] =>
      step.us === null ? [] : [{
        name: `step ${n + 1} (${step.why})`,
        perSecond: step.per_second,
        us: step.us,
        kind: step.holds === null ? "unknown" : step.holds ? "holds" : "fails",
        answeredShare: step.sent_share,
        dropped: step.dropped ?? null,
        senderUs: null,
        interval: null,
        text: `step ${n + 1} (${step.why}): ${formatRate(step.per_second)} req/s, ${formatUs(step.us)}` +
          `${answered(step.sent_share)}${step.reasons.length === 0 ? "" : `; ${step.reasons.join("; ")}`}`,
      }]
    ),
  ];
}
