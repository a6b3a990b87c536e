import { dueLatency } from "../judge/open-loop.ts";
import type { Solo } from "../judge/lines.ts";
import type { LatencyHistogram } from "../statistics/latency-histogram.ts";
import { medianOfKnown } from "../statistics/median.ts";

/** True if the generator was late at p99, so that a histogram would show the generator's waits. */
const isLate = (solo: Solo) => solo.load?.lateness !== undefined && dueLatency(solo)?.p99_us === null;

/** Returns the latencies of all ok loads of a cell together. */
export function latenciesOf(solos: readonly Solo[]): LatencyHistogram {
  const counts = new Map<number, number>();
  for (const solo of solos.filter((one) => one.status === "ok" && !isLate(one))) {
    for (const [us, count] of solo.latency?.histogram ?? []) counts.set(us, (counts.get(us) ?? 0) + count);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

const COUNTERS = [
  "steal_share",
  "foreign_share",
  "server_wait_share",
  "softirq_share",
  "driver_share",
  "involuntary_switches",
  "connections_opened",
  "listen_overflows",
  "retransmits",
  "throttled_ns",
  "swapped_pages",
] as const;

/** Returns counters of a cell as medians over its ok loads; those of the link where the run has hosts. */
export function soloCounters(solos: readonly Solo[]): Record<string, number | null> {
  const ok = solos.filter(({ status }) => status === "ok");
  const links = ok.flatMap(({ counters }) => counters?.link ?? []);
  return {
    ...Object.fromEntries(COUNTERS.map((name) => [name, medianOfKnown(ok.map(({ counters }) => counters?.[name]))])),
    ...(links.length === 0 ? {} : {
      link_used_share: medianOfKnown(links.map(({ share }) => share)),
      link_round_trip_us: medianOfKnown(links.map(({ round_trip_us }) => round_trip_us)),
      link_sent_again_share: medianOfKnown(links.map(({ retransmit_share }) => retransmit_share)),
    }),
  };
}
