import { z } from "zod";

const count = z.int().nonnegative();
const ns = z.number().nonnegative();
const share = z.number().nonnegative();

/** A cell as results name it. */
export const cellSchema = z.strictObject({
  suite: z.string(),
  workload: z.string(),
  runtime: z.string(),
  store: z.string(),
  size: z.int().positive(),
});

/** Why a trial is not `ok`, as a code for programs and a sentence for people. */
export const reasonSchema = z.strictObject({
  code: z.enum([
    "server-failed-to-start",
    "wrong-runtime",
    "wrong-affinity",
    "wrong-answer",
    "server-crashed",
    "server-hung",
    "connection-closed",
    "generator-failed",
    "socket-errors",
    "unexpected-status",
    "timeouts",
    "no-requests",
    "histogram-broken",
    "littles-law-broken",
    "data-set-failed",
    "core-not-full",
    "too-few-requests",
    "unsupported",
  ]),
  message: z.string(),
});

/** See {@link reasonSchema}. */
export type Reason = z.infer<typeof reasonSchema>;

/** What the server process was, known once it is ready. */
export const serverFactsSchema = z.strictObject({
  version: z.string(),
  startup_ms: z.number().nonnegative(),
  load_ms: z.number().nonnegative(),
  disk_bytes: count,
  store_engine: z.string(),
  sqlite_version: z.string().nullable(),
  sqlite_source_id: z.string().nullable(),
  pragmas: z.record(z.string(), z.union([z.string(), z.number()])),
  /** CPUs each thread may use, read back from the system after warm-up; null where it cannot be read. */
  thread_cpus: z.array(z.string()).nullable(),
});

/** What the load generator counted in the measured window. */
export const loadFactsSchema = z.strictObject({
  duration_us: z.int().positive(),
  requests: count,
  requests_per_second: z.number().nonnegative(),
  reply_bytes: count,
  /** Requests sent in each tenth of a second of the window, to about 64. */
  sent_per_100ms: z.array(count),
  connections: z.int().positive(),
  threads: z.int().positive(),
  errors: z.strictObject({
    connect: count,
    read: count,
    write: count,
    timeout: count,
    status: count,
    /** Replies with an error status that were asked for: requests for ids that do not exist. */
    expected_status: count,
  }),
  thread_cpus: z.array(z.string()).nullable(),
});

/** Service times under full load, raw: one count a request. */
export const latencySchema = z.strictObject({
  p50_us: z.number(),
  p90_us: z.number(),
  p99_us: z.number(),
  p999_us: z.number(),
  max_us: z.number(),
  mean_us: z.number(),
  /** [µs, count]; exact below 1 000 µs, three significant digits above. */
  histogram: z.array(z.tuple([z.number(), z.int().positive()])),
  littles_law_gap: z.number(),
});

/** What was read from the system. A value that could not be read is null and `unreadable` says why. */
export const countersSchema = z.strictObject({
  server_cpu_ns: ns.nullable(),
  server_cpu_ns_per_request: ns.nullable(),
  /** Busy shares of one CPU each, over the inner part of the window. */
  server_share: share.nullable(),
  generator_share: share.nullable(),
  driver_share: share.nullable(),
  /** Length of the inner part in nanoseconds. */
  share_window_ns: ns.nullable(),
  server_wait_share: share.nullable(),
  steal_share: share.nullable(),
  foreign_share: share.nullable(),
  softirq_share: share.nullable(),
  involuntary_switches: count.nullable(),
  server_peak_rss_bytes: count.nullable(),
  connections_opened: count.nullable(),
  listen_overflows: count.nullable(),
  retransmits: count.nullable(),
  throttled_ns: ns.nullable(),
  swapped_pages: count.nullable(),
  unreadable: z.record(z.string(), z.string()),
});

/** One line of trials.ndjson. */
export const trialRecord = z.strictObject({
  schema: z.literal("levelfield.trial/1"),
  index: count,
  round: count,
  cell: cellSchema,
  /** Tells treatments of one cell apart: `main`, or `aa` for the same again, or a name given with --label. */
  label: z.string(),
  draw_seed: count,
  status: z.enum(["ok", "invalid", "failed", "unsupported"]),
  reasons: z.array(reasonSchema),
  started_at: z.iso.datetime(),
  wall_ms: z.number().nonnegative(),
  bound: z.enum(["server", "generator", "neither", "unknown"]),
  server: serverFactsSchema.nullable(),
  /** Replies compared with the oracle before and after the load. */
  oracle: z.strictObject({ before: count, after: count }).nullable(),
  /** Rate of the last load before the window. */
  warmup_requests_per_second: z.number().nonnegative().nullable(),
  load: loadFactsSchema.nullable(),
  latency: latencySchema.nullable(),
  counters: countersSchema.nullable(),
  /** Last lines of the server's stderr when the trial is not ok. */
  stderr_tail: z.string().nullable(),
});

/** See {@link trialRecord}. */
export type TrialRecord = z.infer<typeof trialRecord>;
