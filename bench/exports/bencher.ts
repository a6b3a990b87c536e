import { AA } from "../record/cell.ts";
import { harmlessJson } from "../report/align.ts";
import { isRanked } from "../report/metrics.ts";
import type { RunFiles } from "../page/shown-run.ts";

/**
 * Bencher Metric Format: `throughput` in requests per second with the ends of its interval, and `cpu-time` in nanoseconds
 * per request. Only cells that may be ranked are in it: Bencher would alert on the others.
 *
 * @see https://bencher.dev/docs/reference/bencher-metric-format
 */
export function toBencher({ cells }: RunFiles): string {
  const ranked = cells.filter((card) => card.cell.label !== AA && isRanked(card));
  const measures = ranked.map((card) => {
    const { requests_per_second: value, requests_per_second_interval: interval, cpu_ns_per_request: cost } = card;
    const ends = interval === null ? {} : { lower_value: interval.low, upper_value: interval.high };
    return [card.name, { throughput: { value, ...ends }, ...(cost === null ? {} : { "cpu-time": { value: cost } }) }];
  });
  return harmlessJson(Object.fromEntries(measures), 2) + "\n";
}
