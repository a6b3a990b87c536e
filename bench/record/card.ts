import { z } from "zod";
import { list, longText } from "./bounds.ts";
import { cellSchema } from "./cell-schema.ts";
import { boundSchema, markSchema } from "./outcome-schema.ts";
import { byQuantile } from "./latency-schema.ts";

const figure = z.number().nonnegative().nullable();

/**
 * A quantile in µs: of all requests of the windows where there are histograms, else the median of the windows' own. With
 * windows enough its interval, `coverage` its level; else from the least window to the most, and null.
 */
export type Quantile = z.infer<typeof quantileSchema>;
const quantileSchema = z.strictObject({
  us: z.number(),
  low_us: z.number(),
  high_us: z.number(),
  coverage: z.number().nullable(),
});

const quantile = quantileSchema.nullable();

/** Quantiles by one clock; each is null if the generator does not report it, or no observation counts. */
export type Quantiles = z.infer<typeof quantilesSchema>;
const quantilesSchema = z.strictObject(byQuantile(() => quantile));

const count = z.int().nonnegative();

/** The subject of a card. */
export type Subject = z.infer<typeof subject>;
const subject = z.strictObject({
  cell: cellSchema,
  /** Its name for people, unique within the run. */
  name: longText,
});

/** The worth of a cell's observations. */
export type CellOutcome = z.infer<typeof outcome>;
const outcome = z.strictObject({
  /** `ok` if at most a third of its observations is not, and none of these answered wrongly; else that of the worst. */
  status: z.enum(["ok", "invalid", "failed", "unsupported"]),
  marks: list(markSchema),
  /** Without what other processes voided and a spare round made up for. */
  observations: count,
  observations_ok: count,
  bound: boundSchema,
});

/** The speed of a cell: medians over the ok observations, null without one. */
export type Speed = z.infer<typeof speed>;
const speed = z.strictObject({
  requests_per_second: figure,
  /** Exact order-statistic interval of the median; null below six ok observations. */
  requests_per_second_interval: z.strictObject({ low: z.number(), high: z.number(), level: z.number() }).nullable(),
  /** Requests a second times the rows each reads or writes; null if the suite counts none. */
  rows_per_second: figure,
  /** Bytes of replies a second, heads included. */
  transfer_bytes_per_second: figure,
});

/** CPU time that requests cost, and busy shares of one CPU each: medians as above. */
export type Cost = z.infer<typeof cost>;
const cost = z.strictObject({ cpu_ns_per_request: figure, server_share: figure, generator_share: figure });

/** Latencies, from when a request was due at a given rate: medians as above. */
export type CellLatency = z.infer<typeof latency>;
const latency = z.strictObject({ p50_us: figure, p90_us: figure, p99_us: figure, max_us: figure });

/** The use of a server beyond its load: medians as above. */
const footprint = z.strictObject({ peak_rss_bytes: figure, startup_ms: figure, open_ms: figure, disk_bytes: figure });

/** Replies of a cell and their faults. */
export type Replies = z.infer<typeof replies>;
const replies = z.strictObject({
  reply_bytes_per_request: figure,
  /** Share of replies with an error status, 0 to 1. */
  error_share: figure,
  /** Socket errors and timeouts of all observations, also those that are not ok. */
  socket_errors: count,
  timeouts: count,
  /** Counts of audits: medians over ok observations. */
  audit_facts: z.record(longText, z.number()),
});

/** Parts of a server: medians over ok observations. */
export type Parts = z.infer<typeof parts>;
const parts = z.strictObject({
  /** By kind of request; absent for a cell with one kind that is answered with success. */
  routes: list(z.strictObject({
    route: longText,
    statuses: list(z.int()),
    /** Share of all requests sent, 0 to 1. */
    share: figure,
    requests_per_second: figure,
    /** Fewest and most of a reply, head included. */
    reply_bytes: z.tuple([z.int().nonnegative(), z.int().nonnegative()]).nullable(),
    /** Replies sampled during the load, from which latencies are computed; null if they are too few. */
    sampled: z.int().nonnegative(),
    p50_us: figure,
    p99_us: figure,
  })).optional(),
  /** Services of its server, medians over ok observations; absent for a cell without any. */
  services: list(z.strictObject({
    name: longText,
    version: longText,
    facts: z.record(longText, z.union([longText, z.number()])),
    /** True if it had CPUs that neither servers nor generator used; null without pinning. */
    own_cpus: z.boolean().nullable(),
    cpu_ns_per_request: figure,
    /** Busy share of its CPUs inside the window, or that of one thread, by all services of the server together. */
    share: figure,
    /** Its counts for each request sent. */
    counts_per_request: z.record(longText, z.number()),
  })).optional(),
  /** Workers of its server, the busiest first, medians over ok observations; absent for a server by itself. */
  workers: z.strictObject({
    by: longText,
    each: list(z.strictObject({
      /** Share of all requests that workers counted, 0 to 1. */
      request_share: figure,
      /** Share of the CPU time of the server and all its children, 0 to 1. */
      cpu_share: figure,
      /** CPUs it was seen on in any observation. */
      cpus: list(z.int().nonnegative()),
      bytes: figure,
    })),
    /** Share of the same time of processes that are no workers. */
    beside_share: figure,
  }).optional(),
});

/** The figures of cells that tables show side by side. */
export type Figures = z.infer<typeof figures>;
const figures = z.strictObject({
  ...speed.shape,
  ...cost.shape,
  ...latency.shape,
  ...footprint.shape,
  ...replies.shape,
});

/** The figures of an open loop. */
export type OpenLoop = z.infer<typeof openLoopSchema>;
const openLoopSchema = z.strictObject({
  /** Figures of a cell at a rate, medians over all of its loads. Its other latencies count from when a request was due. */
  open_loop: z.strictObject({
    offered_per_second: z.number().positive(),
    /** Requests answered of those that were due: below 0.99 an observation is invalid. */
    answered_share: figure,
    /** Requests that were due and never sent. */
    dropped: figure,
    /** Share of the requests that left within a millisecond of their time; null if the generator does not report it. */
    on_time_share: figure,
    /** Windows whose p99 is over twice that of the lower quartile; absent without any. */
    slow_windows: count.optional(),
    /** Latencies of ok observations: from when a request was due and from when it was sent, and how late it left. */
    by_clock: z.strictObject({ due: quantilesSchema, sent: quantilesSchema, late: quantilesSchema }),
  }).optional(),
});

/** The published card of a cell: a pure function of the plan and its lines in journal.ndjson. */
export const cellCard = z.strictObject({
  schema: z.literal("levelfield.cell/4"),
  run: longText,
  ...subject.shape,
  ...outcome.shape,
  ...figures.shape,
  ...parts.shape,
  ...openLoopSchema.shape,
});

/** The whole card, as files hold it. Code that reads a figure takes its group. */
export type CellCard = z.infer<typeof cellCard>;
/** The figures of one observation, by the names of the card's, which are their medians. */
export type Observed = Omit<Figures, "requests_per_second_interval" | "socket_errors" | "timeouts" | "audit_facts">;
/** A cell and its figures without its parts, as most tables show it. */
export type CellFigures = Subject & CellOutcome & Figures & OpenLoop;
