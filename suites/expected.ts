import type { At, Expectation } from "./suite.ts";

type Ratio = Extract<Expectation, { readonly kind: "ratio" }>;

/** An expected ratio; of rates unless it says otherwise. */
export const ratio = (of: Omit<Ratio, "kind" | "metric"> & Partial<Pick<Ratio, "metric">>): Ratio => ({
  kind: "ratio",
  metric: "requests_per_second",
  ...of,
});

/** A rate that somebody published. */
export const publishedRate = (at: At, value: number, source: string): Expectation => ({
  kind: "published",
  at,
  metric: "requests_per_second",
  value,
  source,
});
