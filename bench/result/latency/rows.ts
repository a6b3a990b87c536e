import { standsAt } from "../../plan/generator-windows.ts";
import type { Observation, Window } from "../../record/observation-record.ts";
import { SENT } from "../../judge/open-loop.ts";
import { median, medianInterval, medianOfKnown } from "../../statistics/median.ts";
import { type KneeSearch, searchKnee } from "../../plan/knee.ts";
import { asSearched, isSound, type kneeStepOf, latencyAt, sentShare } from "../../plan/knee-step.ts";
import type { ConnectionsRow, LatencyCell, TailRow } from "../../record/latency-cell.ts";

const offered = (window: Window) => isSound(window) && (sentShare(window) ?? 0) >= SENT;

/** Tails at one rate over the rounds. */
export function tailRows(observations: readonly Observation[], names: readonly string[]): TailRow[] {
  const all = observations.flatMap(({ windows = [] }) => windows);
  return names.flatMap((name) => {
    const own = all.filter(standsAt({ rate: name, clock: "due" }));
    if (own.length === 0) return [];
    const good = own.filter(offered);
    const middle = (windows: readonly Window[], pick: (window: Window) => number | null | undefined) =>
      medianOfKnown(windows.map(pick));
    const onTime = middle(good, ({ load }) => load!.lateness?.on_time_share);
    const at = (share: number) => good.flatMap((window) => latencyAt(window, share) ?? []);
    const tails = at(0.99);
    const interval = medianInterval(tails);
    const short = own.filter((window) => isSound(window) && !offered(window)).map((window) =>
      `only ${(100 * sentShare(window)!).toFixed(1)} % of what was due was answered`
    );
    return [{
      name,
      offered_per_second: median(own.map(({ per_second }) => per_second!)),
      sound: good.length,
      windows: own.length,
      sent_share: middle(own.filter(isSound), sentShare),
      dropped: middle(own.filter(isSound), ({ load }) => load!.dropped),
      ...(onTime === null ? {} : { on_time_share: onTime }),
      p50_us: middle(good, (window) => latencyAt(window, 0.5)),
      p99_us: medianOfKnown(tails),
      p99_least_us: tails.length === 0 ? null : Math.min(...tails),
      p99_most_us: tails.length === 0 ? null : Math.max(...tails),
      p999_us: middle(good, (window) => latencyAt(window, 0.999)),
      sender_p99_us: middle(good, ({ sent }) => sent?.p99_us),
      p50_interval: intervalOf(at(0.5)),
      p99_interval: intervalOf(tails),
      p999_interval: intervalOf(at(0.999)),
      ...(interval.kind === "unbounded" ? { why_no_interval: interval.reason } : {}),
      reasons: [...new Set([...own.flatMap(({ marks }) => marks.map(({ text }) => text)), ...short])],
    }];
  });
}

/**
 * Where the median of a figure over windows lies. Each window is of a fresh process, so they are independent; no form is
 * assumed, because tails on a shared machine have none: now and then one window is many times the others.
 */
function intervalOf(values: readonly number[]): NonNullable<TailRow["p99_interval"]> | null {
  const found = medianInterval(values);
  return found.kind === "bounded" ? { low_us: found.low, high_us: found.high, coverage: found.coverage } : null;
}

/** The curve of a closed loop over its connections. */
export function connectionRows(observations: readonly Observation[], counts: readonly number[]): ConnectionsRow[] {
  const all = observations.flatMap(({ windows = [] }) => windows);
  return counts.flatMap((connections) => {
    const own = all.filter(standsAt({ connections }));
    if (own.length === 0) return [];
    const good = own.filter(isSound);
    const middle = (pick: (window: Window) => number | null) => medianOfKnown(good.map(pick));
    return [{
      connections,
      requests_per_second: middle(({ load }) => load!.requests_per_second),
      p50_us: middle((window) => latencyAt(window, 0.5)),
      p99_us: middle((window) => latencyAt(window, 0.99)),
      reasons: [...new Set(own.flatMap(({ marks }) => marks.map(({ text }) => text)))],
    }];
  });
}

/** Returns the knee that steps found, or why it is open. */
export function kneeOf(
  steps: readonly ReturnType<typeof kneeStepOf>[],
  capacity: number,
): NonNullable<LatencyCell["knee"]> {
  const end: KneeSearch = searchKnee(asSearched(steps), capacity);
  return {
    per_second: end.kind === "found" ? end.perSecond : null,
    capped: end.kind === "found" && end.capped,
    share_of_capacity: end.kind === "found" ? end.perSecond / capacity : null,
    why: end.kind === "open" ? end.why : end.kind === "try" ? "the search was stopped" : null,
    steps: [...steps],
  };
}
