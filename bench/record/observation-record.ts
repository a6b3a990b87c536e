import { z } from "zod";
import { BOUNDS, lastsMs, list, longText, seed, word } from "./bounds.ts";
import { atSchema, cellSchema } from "./cell-schema.ts";
import { byConnectionSchema, loadedSchema } from "./load-record.ts";
import { markSchema } from "./outcome-schema.ts";
import { idleRepliesSchema } from "./replies-schema.ts";
import { servedSchema, serviceFactsSchema } from "./server-schema.ts";

const count = z.int().nonnegative();
const ns = z.number().nonnegative();

/** Facts of the server process, known once it is ready. */
const serverFactsSchema = z.strictObject({
  /** Version of its runtime, or of a command by its output; null if it prints none. */
  version: longText.nullable(),
  /** From the start of its process until it was ready; null for one that somebody else started. */
  startup_ms: z.number().nonnegative().nullable(),
  /** Opening the app: its files, its memory; null if the server does not say. */
  open_ms: z.number().nonnegative().nullable(),
  disk_bytes: count.nullable(),
  peak_rss_bytes: count.nullable(),
  /** Engines, versions, pragmas in force and other facts, read back from the app. */
  facts: z.record(longText, z.union([longText, z.number()])),
  /** For a program, the processes that accepted its connections, as the system shows them; absent if unknown. */
  served: list(servedSchema).optional(),
  /** Its services; absent if it needs none. */
  services: list(serviceFactsSchema).optional(),
  /** CPUs each thread may use, read back from the system after warm-up; null if it cannot be read. */
  thread_cpus: list(word).nullable(),
});

/** An extra window on the same warm server, at another pace. */
export type Window = z.infer<typeof windowSchema>;
const windowSchema = loadedSchema.extend({
  /** Values of the axes it was made along, unique within the observation: `{ rate: "50 %", clock: "due" }`. */
  at: atSchema,
  generator: z.strictObject({ name: word, version: word }),
  /** Requested rate in requests a second; null for a closed loop. */
  per_second: z.number().positive().nullable(),
  connections: z.int().positive(),
  /** Place of its server among the members; absent for the only one. */
  member: count.optional(),
});

/** Load before a window, of one server or of several together. */
export type Warmup = z.infer<typeof warmupSchema>;
const warmupSchema = z.strictObject({
  /** `steady`: every server's cost was flat; `most`: it was given up; `planned`: it had a length given by hand. */
  ended: z.enum(["steady", "most", "planned"]),
  duration_us: count,
  /** Of all servers. */
  requests: count,
  slice_ms: z.int().positive(),
  /** [requests, CPU time in ns] of each server in each slice, none if left out; null if only quotients were kept. */
  slices: list(list(z.tuple([z.number().nonnegative(), ns]), BOUNDS.samples), BOUNDS.members).nullable(),
  why_no_slices: longText.optional(),
  /** Slices of each server that the next two fields were judged by; null without slices. */
  judged_slices: count.nullable(),
  /** The trend of each server's cost over its last slices. */
  steadiness: list(z.enum(["flat", "moving", "unknown"]), BOUNDS.members),
  /** The change as a share; null if it is unknown. */
  changes: list(z.number().nullable(), BOUNDS.members),
});

/** The work of one server in a stretch of time: requests sent, interpolated between moments that the generator reports. */
export type Slice = z.infer<typeof sliceSchema>;
const sliceSchema = z.strictObject({ requests: z.number().nonnegative(), cpu_ns: ns });

/** Work after its last reply until idle: `idle_share` is that before any load, `bytes` after window and watch. */
export type Later = z.infer<typeof laterSchema>;
const laterSchema = z.strictObject({
  cpu_ns: ns,
  ms: z.number().nonnegative(),
  rested: z.boolean(),
  idle_share: z.number().nonnegative(),
  /** Of a long idle watch, here or in an earlier line: its length, and the most CPU time beyond that share in any time. */
  idle: z.strictObject({ ms: z.number().nonnegative(), beyond_ns: ns }).optional(),
  in_flight: count,
  bytes: z.tuple([count.nullable(), count.nullable()]),
});

/** The random values of a placeholder in a server's requests, as their probabilities predict them. */
export type DrawnValues = z.infer<typeof drawnValuesSchema>;
const drawnValuesSchema = z.strictObject({
  name: word,
  values: z.number().positive(),
  /** Made until the end of the window, warm-ups included. */
  draws: count,
  /** Expected share of the window's draws whose value was drawn before: the hits of a cache that drops nothing. */
  repeated: z.number().min(0).max(1),
});

const bytes = z.int().positive();

/** One server of an observation. */
const memberSchema = z.strictObject({
  /** The cell whose requests a ceiling sends. */
  cell: cellSchema,
  server: serverFactsSchema.nullable(),
  /** Replies compared with the oracle before and after the load, and by the audit after it. */
  oracle: z.strictObject({ before: count, after: count, audit: count.nullable() }).nullable(),
  /** Counts of the audit. */
  audit_facts: z.record(longText, z.number()),
  /** Reasons for leaving this server out of the next steps, or of comparisons; empty without any. */
  marks: list(markSchema),
  /** Before it was measured, alone. Null if it never came to that. */
  warmup: warmupSchema.nullable(),
  /** Its window alone, in an ensemble whose servers were also measured alone. */
  alone: loadedSchema.nullable(),
  /** Replies in its window if it is alone, else requests sent without the ramp-up of its turns; null if not measured. */
  requests: count.nullable(),
  cpu_ns: ns.nullable(),
  /** The window's first third and the rest, alone up to 90 % of it: whether the server was warm. Null if not sampled. */
  parts: z.tuple([sliceSchema, sliceSchema]).nullable(),
  /** The ramp-up of its turns in the window; absent if all of each turn counted. */
  lead_in: sliceSchema.optional(),
  cpu_ns_per_request: z.number().positive().nullable(),
  /** [broken connections, late replies, error statuses] together; absent without any, or not counted by server. */
  failed: z.tuple([count, count, count]).optional(),
  /** Replies by connection together, with ramp-ups and settling; absent for one server, or if not told. */
  by_connection: byConnectionSchema.optional(),
  /** [requests sent so far, resident bytes, open descriptors] with its children, over time; absent if not reported. */
  sizes: list(z.tuple([count, count, count])).optional(),
  /** [requests sent so far, bytes written to disks] with its children, warm and after its window; absent if not reported. */
  written: list(z.tuple([count, count])).optional(),
  /** Random values in its requests; absent without any, and in earlier versions. */
  drawn: list(drawnValuesSchema).optional(),
  /** Its replies while idle, by template of its requests; absent for a ceiling, and without such requests. */
  at_rest: list(idleRepliesSchema).optional(),
  /** After its window; absent if its process is not known, and by earlier versions. */
  later: laterSchema.optional(),
  /** Resident bytes with its children: not yet loaded, after its window, and after a rest; absent if not reported. */
  memory: z.strictObject({ started: bytes, loaded: bytes, rested: bytes.optional() }).optional(),
});

/** One line of the journal: fresh servers measured alone or together, or a `ceiling`, a server that does nothing. */
export type Observation = z.infer<typeof observationRecord>;
export const observationRecord = z.strictObject({
  schema: z.literal("levelfield.observation/3"),
  index: count,
  round: count,
  kind: z.enum(["solo", "ensemble", "ceiling"]),
  purpose: z.enum(["matrix", "pair"]).nullable(),
  /** True if each member was to be measured alone. */
  alone: z.boolean(),
  draw_seed: seed,
  /** Planned counted time of each server in the window together, in ms; absent if it is the plan's. */
  counted_ms: lastsMs.optional(),
  status: z.enum(["ok", "invalid", "failed", "unsupported"]),
  started_at: z.iso.datetime(),
  wall_ms: z.number().nonnegative(),
  /** Members as planned; they started, and had the generator's threads, in the order of `order`. */
  members: list(memberSchema, BOUNDS.members).min(1),
  order: list(count, BOUNDS.members),
  /** Warm-up of servers together, each warm alone before, in the load of their window; null for one alone. */
  warmup: warmupSchema.nullable(),
  ...loadedSchema.shape,
  /** Extra windows on the same warm server, in the order they were made; absent if none was planned. */
  windows: list(windowSchema, BOUNDS.windows).optional(),
  /** Last lines of the servers' stderr when the observation is not ok. */
  stderr_tail: longText.nullable(),
}).refine(
  ({ status, load, kind, windows }) => status !== "ok" || load !== null || kind === "ensemble" && windows !== undefined,
  "it is called ok without a load",
);

/** One server of an observation. */
export type Member = Observation["members"][number];
