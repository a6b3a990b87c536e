import { publishedRate, ratio } from "../expected.ts";
import type { At, Expectation } from "../suite.ts";
import { PROFILES } from "./profiles.ts";
import { type WorkloadName, WORKLOADS } from "./workloads.ts";

const SOURCE = "Hull's benchmark page: Lua on a MacBook Pro (Apple M4 Pro), wrk, 4 threads, 100 connections, 10 s";

/** Where the page's figures belong here: after its tuning, and before it. */
const AFTER = { profile: "tuned", statements: "cached" } as const satisfies At;
const BEFORE = { profile: "wal", statements: "fresh" } as const satisfies At;

/** Requests per second the page has; its batch wrote ten rows a request. */
const HULL = { insert: 29_096, batch: 15_237, select20: 6_303, mixed: 5_635, visits: 19_873 } as const;
const HULL_INSERT_BEFORE = 18_120;
const HULL_BATCH_ROWS = 152_370;

/** To two digits behind the point. */
const quotient = (over: number, under: number) => Math.round(over / under * 100) / 100;

const NAMES = Object.keys(WORKLOADS) as readonly WorkloadName[];

const steps = NAMES.flatMap((workload): Expectation[] => [
  {
    kind: "steps",
    name: `${workload}: what each profile adds`,
    axis: "profile",
    values: Object.keys(PROFILES),
    at: { workload },
    metric: "requests_per_second",
    why: "WAL writes a commit once in place of twice; synchronous=NORMAL waits for the disk only at checkpoints",
  },
  {
    kind: "steps",
    name: `${workload}: what prepared statements add`,
    axis: "statements",
    values: ["fresh", "cached"],
    at: { workload },
    metric: "requests_per_second",
    why: "a statement prepared once is not parsed and planned again for each use",
  },
]);

const builds = (["inside", "select20"] as const).map((workload) =>
  ratio({
    name: `${workload}: one library for all over the runtime's own engine`,
    over: { workload, engine: "library" },
    under: { workload, engine: "native" },
    why: workload === "inside"
      ? "one call does a thousand look-ups, so the binding hardly counts: what differs is the build of SQLite"
      : "60 values cross the binding for each request: build and binding together",
  })
);

const batches = (["default", "wal"] as const).map((profile) =>
  ratio({
    name: "batch over insert, rows/s",
    over: { workload: "batch", profile },
    under: { workload: "insert", profile },
    metric: "rows_per_second",
    why: "ten rows share the cost of one commit",
  })
);

/** Expectations known or promised before any run. */
export const expectations: readonly Expectation[] = [
  ...Object.entries(HULL).map(([workload, rate]) => publishedRate({ workload, ...AFTER }, rate, SOURCE)),
  publishedRate({ workload: "insert", ...BEFORE }, HULL_INSERT_BEFORE, SOURCE),
  {
    ...{ kind: "published", at: { workload: "batch", ...AFTER } },
    ...{ metric: "rows_per_second", value: HULL_BATCH_ROWS, source: SOURCE },
  },
  ratio({
    name: "insert: tuned over SQLite's defaults",
    over: { workload: "insert", profile: "tuned" },
    under: { workload: "insert", profile: "default" },
    why: "all that pragmas buy; nobody published it, because the page's baseline had a write-ahead log already",
  }),
  ratio({
    name: "insert: tuned over WAL with defaults, statements alike",
    over: { workload: "insert", profile: "tuned" },
    under: { workload: "insert", profile: "wal" },
    published: quotient(HULL.insert, HULL_INSERT_BEFORE),
    why:
      "the page's 1.61 has the statement cache in it too; macOS does not wait for the disk on fsync, Linux does, so " +
      "NORMAL buys more here",
  }),
  ratio({
    name: "insert: tuned with cached statements over WAL with fresh ones",
    over: { workload: "insert", ...AFTER },
    under: { workload: "insert", ...BEFORE },
    published: quotient(HULL.insert, HULL_INSERT_BEFORE),
    why: "the page's two states; macOS does not wait for the disk on fsync, Linux does, so NORMAL buys more here",
  }),
  ratio({
    name: "batch over insert, rows/s",
    over: { workload: "batch", profile: "tuned" },
    under: { workload: "insert", profile: "tuned" },
    metric: "rows_per_second",
    published: quotient(HULL_BATCH_ROWS, HULL.insert),
    why: "ten rows share the cost of one commit and of one request",
  }),
  ...batches,
  ratio({
    name: "batch tuned over insert before any tuning, rows/s",
    over: { workload: "batch", ...AFTER },
    under: { workload: "insert", ...BEFORE },
    metric: "rows_per_second",
    published: quotient(HULL_BATCH_ROWS, HULL_INSERT_BEFORE),
    why: "the page's first and last state: pragmas, statement cache and transactions together",
  }),
  ...builds,
  ...steps,
];
