/** The quantiles that latencies are kept by, with their shares of requests. A new one is a row here. */
const QUANTILES = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1 };

type QuantileName = keyof typeof QUANTILES;
/** The name of a quantile with its unit. */
export type QuantileUs = `${QuantileName}_us`;

/** Calls `of` for each quantile; returns its results by name. */
export const byQuantile = <T>(of: (share: number, us: QuantileUs) => T): Record<QuantileName, T> =>
  Object.fromEntries(
    Object.entries(QUANTILES).map(([name, share]) => [name, of(share, `${name}_us` as QuantileUs)]),
  ) as Record<QuantileName, T>;

/** Returns the same by names with their unit: `p50_us`. */
export const quantilesUs = <T>(of: (share: number, us: QuantileUs) => T): Record<QuantileUs, T> =>
  Object.fromEntries(Object.entries(byQuantile(of)).map(([name, value]) => [`${name}_us`, value])) as Record<
    QuantileUs,
    T
  >;
