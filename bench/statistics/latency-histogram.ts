/** Latencies as [microseconds, count] in ascending order of microseconds, counts above 0. */
export type LatencyHistogram = readonly (readonly [us: number, count: number])[];

/** The load figures by which wrk 4 rewrites its histogram. */
export interface WrkCorrection {
  readonly durationUs: number;
  readonly requests: number;
  readonly connections: number;
}

/**
 * The "expected interval" of wrk's correction in microseconds, or undefined when wrk leaves the histogram alone.
 * Source: wrk 4.1.0, `main.c` and `stats_correct` in `stats.c`; integer divisions as in C.
 */
export function expectedIntervalUs({ durationUs, requests, connections }: WrkCorrection): number | undefined {
  const perConnection = Math.floor(requests / connections);
  return perConnection === 0 ? undefined : Math.floor(durationUs / perConnection);
}

/**
 * Undoes wrk's correction: what was really measured, one count a request.
 *
 * With E the expected interval, wrk adds for each latency n >= 2E its count to n-E, n-2E, … down to above E. So above E
 * reported[n] = raw[n] + reported[n+E], and below or at E reported[n] = raw[n].
 */
export function recoverRaw(reported: LatencyHistogram, correction: WrkCorrection): LatencyHistogram {
  const interval = expectedIntervalUs(correction);
  if (interval === undefined) return reported;
  const counts = new Map(reported);
  const raw: [number, number][] = [];
  for (const [us, count] of reported) {
    const left = us > interval ? count - (counts.get(us + interval) ?? 0) : count;
    if (left !== 0) raw.push([us, left]);
  }
  return raw;
}

/** Sum of the counts. */
export function countOf(histogram: LatencyHistogram): number {
  return histogram.reduce((sum, [, count]) => sum + count, 0);
}

/** Mean latency in microseconds; 0 for an empty histogram. */
export function meanUs(histogram: LatencyHistogram): number {
  const count = countOf(histogram);
  return count === 0 ? 0 : histogram.reduce((sum, [us, count]) => sum + us * count, 0) / count;
}

/**
 * The smallest latency that at least a share of the requests did not exceed (nearest rank), in microseconds.
 *
 * @param share between 0 and 1; 0 for an empty histogram
 */
export function percentileUs(histogram: LatencyHistogram, share: number): number {
  const rank = Math.max(1, Math.ceil(share * countOf(histogram)));
  let seen = 0;
  for (const [us, count] of histogram) {
    seen += count;
    if (seen >= rank) return us;
  }
  return 0;
}

/** A latency in microseconds as results keep it: exact below 1 000 µs, three significant digits from there on. */
export const compactUs = (us: number): number => us < 1_000 ? us : Number(us.toPrecision(3));

/**
 * The histogram as results keep it: exact below 1 000 µs, three significant digits (rounded to nearest) from there on.
 * Counts are kept, so nothing but resolution is lost.
 */
export function compactHistogram(histogram: LatencyHistogram): LatencyHistogram {
  const counts = new Map<number, number>();
  for (const [us, count] of histogram) {
    const key = compactUs(us);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return [...counts].sort((a, b) => a[0] - b[0]);
}

/**
 * Little's law: requests in flight = rate × mean latency. The relative gap to the number of connections says whether
 * rate and latencies can both be true. Requests still in flight at the end were never counted, so with few requests a
 * connection the gap is their share; the caller allows for `connections / requests`.
 */
export function littlesLawGap(
  histogram: LatencyHistogram,
  { durationUs, requests, connections }: WrkCorrection,
): number {
  return (requests / durationUs) * meanUs(histogram) / connections - 1;
}
