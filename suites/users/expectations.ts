import type { StoreName } from "../../stores/registry.ts";
import type { Complexity } from "../../stores/store.ts";
import { publishedRate, ratio } from "../expected.ts";
import type { At, Expectation } from "../suite.ts";

/** The workload of the published figures and promises here: other workloads have none. */
const READ = { workload: "read" } as const;
const SOURCE = 'tutorial "Benchmarking with wrk": Apple Silicon Mac mini, Node 24, 4 threads, 50 connections';
const SIZES = [10_000, 100_000, 1_000_000] as const;

/** Requests per second the tutorial published, by store at each of {@link SIZES}. */
const TUTORIAL = {
  linear: [474, 49, 5],
  map: [66_573, 65_466, 72_074],
  binary: [26_187, 25_278, 26_448],
  sqlite: [52_258, 47_436, 50_307],
} as const satisfies Partial<Record<StoreName, readonly [number, number, number]>>;

const published = Object.entries(TUTORIAL).flatMap(([store, rates]) =>
  SIZES.map((size, n) => publishedRate({ ...READ, store, size }, rates[n]!, SOURCE))
);

/** The ratio of two of the tutorial's figures, to two digits behind the point. */
const theirs = (over: number, under: number) => Math.round(over / under * 100) / 100;

const nearEachOther = SIZES.map((size, n) =>
  ratio({
    name: "map over sqlite",
    over: { ...READ, store: "map", size },
    under: { ...READ, store: "sqlite", size },
    most: 2,
    published: theirs(TUTORIAL.map[n]!, TUTORIAL.sqlite[n]!),
    why: "a request costs more than either look-up; at 10, WAL did not take effect",
  })
);

const flat = (["map", "binary", "sqlite", "drizzle"] as const).map((store) =>
  ratio({
    name: `${store} at 1m over 10k`,
    over: { ...READ, store, size: SIZES[2] },
    under: { ...READ, store, size: SIZES[0] },
    least: 0.7,
    ...(store === "drizzle" ? {} : { published: theirs(TUTORIAL[store][2], TUTORIAL[store][0]) }),
    why: "what has an index may lose 30 % to a data set a hundred times as large, to caches and a deeper tree",
  })
);

const fall = [0, 1].map((n) =>
  ratio({
    name: "linear over linear ten times as large",
    over: { ...READ, store: "linear", size: SIZES[n]! },
    under: { ...READ, store: "linear", size: SIZES[n + 1]! },
    published: theirs(TUTORIAL.linear[n]!, TUTORIAL.linear[n + 1]!),
    why: "about ten times the file takes about ten times as long; the exponent below is what is held against it",
  })
);

/**
 * The exponents that fit a declared complexity of one look-up, seen through a server that spends a fixed time on each
 * request besides. They overlap: over HTTP, O(1) and O(log n) can seldom be told apart, and nothing here pretends so.
 */
const LAWS: Readonly<Record<Complexity, { least: number; greatest: number; why: string }>> = {
  "O(1)": {
    least: -0.1,
    greatest: 0.05,
    why: "0 in theory; a larger set misses more caches, so up to a fifth of the speed may go with each factor of 10",
  },
  "O(log n)": {
    least: -0.2,
    greatest: 0.05,
    why: "-0.09 between 10 000 and 1 000 000 if the lookup were all; fixed costs bring it to 0, cache misses double it",
  },
  "O(n)": {
    least: -1.25,
    greatest: -0.5,
    why:
      "-1 in theory; -0.5 when the fixed cost is ten times the scan at 10 000; where the smaller file fits a cache and " +
      "the larger does not, one factor of 10 cost 15.2 in req/s (Bun, an earlier reference run), -1.18",
  },
};

/** The promise of each store's driver, known without loading it; a test compares the two. */
export const COMPLEXITIES: Readonly<Record<StoreName, Complexity>> = {
  linear: "O(n)",
  map: "O(1)",
  binary: "O(log n)",
  sqlite: "O(log n)",
  drizzle: "O(log n)",
};

const scaling = Object.entries(COMPLEXITIES).map(([store, law]): Expectation => ({
  kind: "scaling",
  axis: "size",
  at: { ...READ, store } satisfies At,
  law,
  ...LAWS[law],
}));

/** Expectations known or promised before any run. */
export const expectations: readonly Expectation[] = [
  ...published,
  ...nearEachOther,
  ...flat,
  ...fall,
  ...scaling,
  { kind: "ceiling", at: READ, least: 0.95 },
];
