/** The record of one load, on one server or on several together. */
import { z } from "zod";
import { BOUNDS, list, longText, word } from "./bounds.ts";
import { countersSchema } from "./counters-schema.ts";
import { boundSchema, markSchema } from "./outcome-schema.ts";
import { sampledRepliesSchema } from "./replies-schema.ts";
import { serviceUseSchema, workersUseSchema } from "./server-schema.ts";
import { quantilesUs } from "./latency-schema.ts";

const count = z.int().nonnegative();

/**
 * Replies by connection. `unanswered` had none; `stuck` had some, and then waited far longer than any reply took; `few`, of
 * the others, had under a tenth of the mean; `replies`: fewest, median and most, absent if connections were opened anew.
 */
export type ByConnection = z.infer<typeof byConnectionSchema>;
export const byConnectionSchema = z.strictObject({
  unanswered: count,
  stuck: count,
  few: count.optional(),
  replies: z.tuple([count, count, count]).optional(),
});

/** The amount of a load, in requests and time. */
const amountSchema = z.strictObject({
  duration_us: z.int().positive(),
  requests: count,
  requests_per_second: z.number().nonnegative(),
  /** The expected time of a reply, if the window was made longer than planned for it; else absent. */
  expected_reply_ms: z.number().positive().optional(),
  /** Requests in flight at the end, in whole requests, that the rate includes; absent if they are too few to matter. */
  in_flight: z.number().positive().optional(),
  /** Rows a request reads or writes; null if the suite counts none. */
  rows_per_request: z.number().positive().nullable(),
  /** Null if the generator does not count them. */
  reply_bytes: count.nullable(),
  /** Bytes of bodies alone; absent if the generator does not count them separately. */
  body_bytes: count.optional(),
  /** Share of the connections that still had requests under way at its end, 0 to 1; absent if that is not known. */
  kept_share: z.number().nonnegative().optional(),
  /** Absent for several servers, from a generator that does not tell, and in earlier versions. */
  by_connection: byConnectionSchema.optional(),
  /** Connections that the server ended between two requests, opened anew; absent if it ended none, or none is counted. */
  reopened: count.optional(),
});

/** Requests sent by time and by template; empty if the generator does not report them. */
const sentSchema = z.strictObject({
  /** Requests sent in each slot of the load, about 64 at most. */
  sent_per_slot: list(count, BOUNDS.samples),
  slot_us: count,
  /** Requests sent of each template of the mix. */
  sent_per_template: list(count, BOUNDS.samples),
});

/** The form of a load. */
const loadShapeSchema = z.strictObject({
  /** Connections to each server. */
  connections: z.int().positive(),
  /** Length of the turns that several servers took on their core; absent if all had it at once. */
  turn_ms: z.number().positive().optional(),
  /** Length of the ramp-up before each counted turn; absent if all of each turn counted. */
  lead_in_ms: z.number().positive().optional(),
  /** A request is a call of a function in the server's process: nothing was sent, and no reply is waited for. */
  calls: z.literal(true).optional(),
  threads: z.int().positive(),
  thread_cpus: list(word).nullable(),
});

/** Messages over WebSocket, for all servers together: a request is a message that came to a connection that is due it. */
export type Messages = z.infer<typeof messagesSchema>;
const messagesSchema = z.strictObject({
  /** Messages in flight on each connection, and connections of a room; 1 for an echo. */
  ...{ in_flight: z.int().positive(), members: z.int().positive() },
  /** Deliveries that sent messages should cause, and those that arrived, each counted once. */
  ...{ expected: count, received: count },
  /** Messages that arrived twice, out of order, or with changed content. */
  ...{ doubled: count, reordered: count, changed: count },
  /** The number of connections to which not all came. */
  connections_short: count,
  /** Connections that ended inside the window by their close code; 1006 without a close frame. */
  closes: z.record(word, count),
  /** The first fault in words; null without one. */
  fault: longText.nullable(),
});

/** The schedule of an open loop, and how it was kept; absent from a closed loop. */
const scheduleSchema = z.strictObject({
  /** Requests a second that were due, and the number that were never sent. */
  offered_per_second: z.number().positive().optional(),
  dropped: count.nullable().optional(),
  /** How late requests left, and the share that left within a millisecond of their time; absent if unknown. */
  lateness: z.strictObject({
    ...quantilesUs(() => z.number()),
    on_time_share: z.number(),
  }).optional(),
});

/** Counts for all servers together: of one all of its load, of several once they have settled. */
const loadFactsSchema = z.strictObject({
  ...amountSchema.shape,
  ...sentSchema.shape,
  ...loadShapeSchema.shape,
  errors: z.strictObject({
    /** Null for a kind the generator does not count. */
    connect: count.nullable(),
    read: count.nullable(),
    write: count.nullable(),
    timeout: count.nullable(),
    /** Replies with an error status (above 399). */
    status: count.nullable(),
    /** The most of these that were requested (missing things, a server that may be busy). */
    expected_status: count,
    /** The number that had to come, without those in flight at the end; absent if none had to. */
    due_status: count.optional(),
    /** Requests that failed for a reason the generator does not report. */
    other: count.optional(),
  }),
  ...scheduleSchema.shape,
  /** Absent from a load of requests. */
  messages: messagesSchema.optional(),
  /** Fields that the generator cannot report, with the reason; absent if it reports all. */
  untold: z.record(longText, longText).optional(),
});

const us = z.number().nullable();

/** Service times, from when due in an open loop: one count a request. */
export const latencySchema = z.strictObject({
  ...quantilesUs(() => us),
  mean_us: us,
  /** [µs, count]; exact below 1 000 µs, three significant digits above. */
  histogram: list(z.tuple([z.number(), z.int().positive()]), BOUNDS.samples),
  /** Null for an open loop, and if the mean is unknown. */
  littles_law_gap: z.number().nullable(),
});

/** The record of a load: its bound, the generator's counts, the system's counters, and its marks. */
export type Loaded = z.infer<typeof loadedSchema>;
export const loadedSchema = z.strictObject({
  bound: boundSchema,
  load: loadFactsSchema.nullable(),
  latency: latencySchema.nullable(),
  /** Latencies from when requests were sent, in an open loop. Absent if `latency` is by that clock, or unknown by it. */
  sent: z.strictObject(quantilesUs(() => z.number())).optional(),
  counters: countersSchema.nullable(),
  /** Reasons against using its figures; empty without any. */
  marks: list(markSchema),
  /** Sampled replies of each member in their order, null for one that was left out. Absent for a ceiling. */
  beside: list(sampledRepliesSchema.nullable()).optional(),
  /** The work of each member's services meanwhile, in the order of the members; absent without services. */
  services: list(list(serviceUseSchema), BOUNDS.members).optional(),
  /** The work of the one server's workers meanwhile; absent for a server without workers. */
  workers: workersUseSchema.optional(),
});
