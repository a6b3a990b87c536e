/** The part of a card that an open loop adds: what was offered, and latencies by each clock. */
import { formatUs } from "../basics/units.ts";
import { answeredShare, dueLatency, sentLatency } from "../judge/open-loop.ts";
import type { Solo } from "../judge/lines.ts";
import type { OpenLoop, Quantile, Quantiles } from "../record/card.ts";
import { medianInterval, medianOfKnown } from "../statistics/median.ts";

/** Latencies of one observation by one clock in µs; each is null or absent if it is unknown. */
type Named = Readonly<Partial<Record<"p50_us" | "p90_us" | "p99_us" | "p999_us" | "max_us", number | null>>>;

/** Returns what an open loop adds to a card; nothing for a closed loop. */
export function openLoopOf(observations: readonly Solo[], ok: readonly Solo[]): OpenLoop {
  const loads = observations.flatMap(({ load }) => load?.offered_per_second === undefined ? [] : load);
  if (loads.length === 0) return {};
  return {
    open_loop: {
      offered_per_second: medianOfKnown(loads.map((load) => load.offered_per_second))!,
      answered_share: medianOfKnown(loads.map(answeredShare)),
      dropped: medianOfKnown(loads.map(({ dropped }) => dropped)),
      on_time_share: medianOfKnown(ok.map(({ load }) => load!.lateness?.on_time_share)),
      by_clock: {
        due: quantilesOf(ok.map(dueLatency)),
        sent: quantilesOf(ok.map(sentLatency)),
        late: quantilesOf(ok.map(({ load }) => load!.lateness ?? null)),
      },
    },
  };
}

/**
 * Returns which waits are withheld because the generator was late itself, and what to do; null if none is: `has no p99: the
 * generator sent 3.2 ms late at it …`.
 */
export function lateText({ due, sent, late }: NonNullable<OpenLoop["open_loop"]>["by_clock"]): string | null {
  const withheld = (["p50", "p99"] as const).filter((key) =>
    due[key] === null && sent[key] !== null && late[key] !== null
  );
  if (withheld.length === 0) return null;
  const at = withheld.map((key) => `${formatUs(late[key]!.us)} late at ${key}`);
  return `has no ${withheld.join(" and no ")}: the generator itself sent ${
    at.join(" and ")
  }, more than a tenth of the wait; ` +
    "repeat it on a quieter machine, or with a core for the generator alone";
}

function quantilesOf(observations: readonly (Named | null)[]): Quantiles {
  const over = (key: keyof Named) => quantileOver(observations.flatMap((each) => each?.[key] ?? []));
  return { p50: over("p50_us"), p90: over("p90_us"), p99: over("p99_us"), p999: over("p999_us"), max: over("max_us") };
}

/**
 * Returns the median of a figure over windows and where it lies, in µs; null without a value. Each window is of a fresh
 * process, so they are independent. No form is assumed: on a shared machine one window can be many times the others.
 */
export function quantileOver(values: readonly number[]): Quantile | null {
  const us = medianOfKnown(values);
  if (us === null) return null;
  const interval = medianInterval(values);
  return interval.kind === "bounded"
    ? { us, low_us: interval.low, high_us: interval.high, coverage: interval.coverage }
    : { us, low_us: Math.min(...values), high_us: Math.max(...values), coverage: null };
}
