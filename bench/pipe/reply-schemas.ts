import { z } from "zod";
import type { Reply } from "../../suites/suite.ts";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import type { Holdings } from "../machine/holdings.ts";
import type { Waits } from "../machine/peers.ts";
import type { Topology } from "../plan/placement.ts";
import { bodyText, list, longText, word } from "../record/bounds.ts";
import { runRecord } from "../record/run-record.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { address, failureSchema, pid, serveReply } from "./server-schema.ts";
import type { FoundProgram, HostFacts, Link } from "./look-around.ts";
import { objectOf } from "./object-of.ts";
import { hostSample, processSize, readingOf } from "./sample-schema.ts";
import type { AgentOperations } from "./started-here.ts";

const count = z.int().nonnegative();
const port = z.int().positive().max(65_535);
const sha256 = word.regex(/^[0-9a-f]{64}$/, "is no SHA-256");
/** A path of another host. */
export const path = longText.regex(/^\/[^\0\r\n]*$/, "is no path");

/** The reply of an operation that only works. JSON has no undefined. */
const nothing = z.null() as unknown as z.ZodType<void>;

/** The longest body of a reply and the longest output of a program, in characters: a line of the pipe holds them. */
const MOST_CHARS = 64 << 20;

const topology = objectOf<Topology>({
  cpus: list(z.strictObject({ id: count, core: count, node: count })).nullable(),
  why: longText,
});

const facts = objectOf<HostFacts>({
  machine: runRecord.shape.machine,
  topology,
  priority: z.union([
    z.strictObject({ nice: z.int() }),
    z.strictObject({ nice: z.null(), why: longText }),
  ]),
  grade: runRecord.shape.grade,
  machineId: word,
  processSpace: word.nullable(),
  links: list(objectOf<Link>({
    name: word,
    address,
    loopback: z.boolean(),
    bitsPerSecond: z.number().positive().nullable(),
  })),
});

const runtime = objectOf<RuntimeBinary>({
  name: z.enum(RUNTIME_NAMES),
  label: word,
  wanted: longText,
  file: path,
  version: word,
  revision: word.exactOptional(),
  origin: z.enum(["npm", "path", "fetched", "file"]),
});

const program = objectOf<FoundProgram>({
  program: path,
  lead: list(longText),
  output: z.string().max(MOST_CHARS),
  sha256,
});

const holdings = objectOf<Holdings>({
  ports: list(port),
  sockets: list(longText),
  files: list(z.strictObject({
    path: longText,
    locked: z.boolean(),
    appends: z.boolean(),
    change: longText.nullable(),
  })),
});

const waits = objectOf<Waits>({
  busy: z.number(),
  peers: list(z.strictObject({ to: longText, connections: count, states: list(longText) })),
});

const status = z.int().min(100).max(599);

const reply = objectOf<Reply>({
  status,
  headers: z.record(longText, bodyText),
  body: z.string().max(MOST_CHARS),
  base64: z.string().max(MOST_CHARS).exactOptional(),
  interim: list(status).exactOptional(),
  endedByClose: z.literal(true).exactOptional(),
  bytes: objectOf<NonNullable<Reply["bytes"]>>({ whole: count.exactOptional(), body: count }).exactOptional(),
});

/** The schema of the reply to each operation of an agent. */
export const REPLIES: {
  readonly [Name in keyof AgentOperations]: z.ZodType<Awaited<ReturnType<AgentOperations[Name]>>>;
} = {
  facts,
  runtimes: list(runtime),
  findProgram: program.nullable(),
  hashes: list(sha256),
  sources: list(sha256.nullable()),
  checkOut: path,
  sample: hostSample,
  threadCpus: readingOf(list(longText)),
  peakRssBytes: readingOf(z.number().nonnegative()),
  sizeOf: processSize,
  freeMemoryShare: readingOf(z.number().nonnegative()),
  roundTripUs: z.number().nonnegative().nullable(),
  countsAt: z.record(word, z.number()).nullable(),
  connectionsAt: count.nullable(),
  holdingsOf: holdings.nullable(),
  waitsOf: waits.nullable(),
  workersAt: list(z.strictObject({ pid: z.int().positive(), tid: z.int().positive(), requests: count.nullable() })),
  workersUse: list(z.strictObject({ cpu: count.nullable(), bytes: z.number().nonnegative().nullable() })),
  start: pid,
  serve: serveReply,
  stop: nothing,
  kill: nothing,
  killAll: nothing,
  build: longText.nullable(),
  client: nothing,
  send: z.union([reply, z.strictObject({ rejected: longText, failure: failureSchema.exactOptional() })]),
  hangUp: nothing,
};
