import { answeredShare, dueLatency, sentLatency } from "../judge/open-loop.ts";
import type { Loaded } from "../record/load-record.ts";
import type { OpenLoop, Quantile, Quantiles } from "../record/card.ts";
import { medianInterval, medianOfKnown } from "../statistics/median.ts";
import { pooledQuantile } from "../statistics/pooled.ts";
import { byQuantile, type QuantileUs } from "../record/latency-schema.ts";

type Sent = Pick<Loaded, "load" | "latency" | "sent">;

/** Returns the figures that only an open loop has; nothing for a closed loop. */
export function openLoopOf(observations: readonly Sent[], ok: readonly Sent[]): OpenLoop {
  const loads = observations.flatMap(({ load }) => load?.offered_per_second === undefined ? [] : load);
  if (loads.length === 0) return {};
  return {
    open_loop: {
      offered_per_second: medianOfKnown(loads.map((load) => load.offered_per_second))!,
      answered_share: medianOfKnown(loads.map(answeredShare)),
      dropped: medianOfKnown(loads.map(({ dropped }) => dropped)),
      on_time_share: medianOfKnown(ok.map(({ load }) => load!.lateness?.on_time_share)),
      ...slowWindows(ok),
      by_clock: {
        due: onTimeQuantiles(ok),
        sent: quantilesOf((key) => ok.flatMap((one) => sentLatency(one)?.[key] ?? [])),
        late: quantilesOf((key) => ok.flatMap(({ load }) => load!.lateness?.[key] ?? [])),
      },
    },
  };
}

/**
 * Waits from when requests were due, of all requests of the windows: most windows may have missed what some met. Where over
 * a third of the windows were late, the others would be a choice. A generator without histogram gives its own quantiles.
 */
function onTimeQuantiles(ok: readonly Sent[]): Quantiles {
  const waits = ok.map((one) => ({ all: one.latency, due: dueLatency(one) }));
  return byQuantile((share, key) => {
    const known = waits.flatMap(({ due }) => due !== null && due[key] !== null ? due : []);
    const late = waits.filter(({ all, due }) => due !== null && due[key] === null && all![key] !== null).length;
    if (known.length === 0 || 3 * late > waits.length) return null;
    if (known.some(({ histogram }) => histogram.length === 0)) return quantileOver(known.map((due) => due[key]!));
    const { us, low, high, level } = pooledQuantile(known.map(({ histogram }) => histogram), share);
    return { us, low_us: low, high_us: high, coverage: level };
  });
}

/** Times the p99 of the window at the lower quartile from which a window counts as slow. */
const SLOW = 2;

/** Windows whose p99 is far above that of the lower quartile, as half of them may meet a halt; absent if there are none. */
function slowWindows(ok: readonly Sent[]): { slow_windows?: number } {
  const own = ok.flatMap((one) => dueLatency(one)?.p99_us ?? []).sort((a, b) => a - b);
  const slow = own.filter((us) => us > SLOW * own[(own.length - 1) >> 2]!).length;
  return slow === 0 ? {} : { slow_windows: slow };
}

const quantilesOf = (values: (key: QuantileUs) => readonly number[]): Quantiles =>
  byQuantile((_, key) => quantileOver(values(key)));

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
