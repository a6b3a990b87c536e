/** A published rate of a store at a size: a shape to compare with, never this machine's result. */
export interface Reference {
  readonly store: string;
  readonly size: number;
  readonly requests_per_second: number;
}

/** Where {@link TUTORIAL} comes from. */
export const TUTORIAL_SOURCE = 'tutorial "Benchmarking with wrk": Mac mini, Node 24, 4 threads, 50 connections';

const of = (store: string, rates: readonly [number, number, number]): Reference[] =>
  rates.map((rate, index) => ({ store, size: 10 ** (4 + index), requests_per_second: rate }));

/** Rates the tutorial published, by store at 10 k, 100 k and 1 M records. */
export const TUTORIAL: readonly Reference[] = [
  ...of("linear", [474, 49, 5]),
  ...of("map", [66_573, 65_466, 72_074]),
  ...of("binary", [26_187, 25_278, 26_448]),
  ...of("sqlite", [52_258, 47_436, 50_307]),
];

/** The rate the tutorial published for a store at a size, if it did. */
export function publishedRate(store: string, size: number): number | undefined {
  return TUTORIAL.find((reference) => reference.store === store && reference.size === size)?.requests_per_second;
}
