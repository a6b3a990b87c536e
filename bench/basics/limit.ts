/** A limit such as `p99<10ms`. */
export interface Limit {
  /** Share of the requests, 0 to 1. */
  readonly share: number;
  readonly us: number;
  /** As it was given. */
  readonly text: string;
}

/** Reads `p99<10ms` or `p99.9<500us`; undefined when it is none. */
export function parseLimit(text: string): Limit | undefined {
  const match = /^p(\d{1,2}(?:\.\d+)?)<(\d+(?:\.\d+)?)(us|ms|s)$/.exec(text.replaceAll(" ", ""));
  if (match === null) return undefined;
  const share = Number((Number(match[1]) / 100).toPrecision(10));
  const us = Number(match[2]) * { us: 1, ms: 1e3, s: 1e6 }[match[3] as "us" | "ms" | "s"];
  return share > 0 && us > 0 ? { share, us, text: `p${match[1]}<${match[2]}${match[3]}` } : undefined;
}
