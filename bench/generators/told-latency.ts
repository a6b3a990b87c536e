/** Latencies as a generator sums them up itself, where it keeps no count of each. */
export interface ToldLatency {
  /** In microseconds; null where it does not say. */
  readonly meanUs: number | null;
  readonly maxUs: number | null;
  /** [share of the requests, 0 to 1; microseconds], in ascending order of shares. */
  readonly percentiles: readonly (readonly [share: number, us: number])[];
}

/** `99.9` as 0.999, without what binary fractions make of it. */
export const shareOfPercent = (percent: string): number => Number((Number(percent) / 100).toPrecision(10));
