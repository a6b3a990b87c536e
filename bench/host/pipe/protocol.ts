import { z } from "zod";
import { readyLine } from "../../../servers/ready-line.ts";
import { runRecord } from "../../record/run-record.ts";
import { reasonSchema } from "../../record/observation-record.ts";
import { hostSample } from "./sample-schema.ts";

/** What driver and agent speak. Both sides refuse another version. */
export const PROTOCOL = "levelfield.agent/1";

const value = z.union([z.string(), z.number()]);
const texts = z.record(z.string(), z.string());
const cpus = z.array(z.int().nonnegative()).nullable();
const pid = z.int().positive();

/** The first line of either side: what it speaks and what it is made from. */
export const hello = z.strictObject({
  schema: z.literal(PROTOCOL),
  version: z.string(),
  /** Over everything that runs. */
  source_sha256: z.string(),
  /** The checkout's folder: paths inside it are told by the driver as its own. */
  root: z.string(),
  /** The folder of what is built for servers. */
  data: z.string(),
  /** See `HostFacts.machineId`. */
  machine: z.string(),
});

/** See {@link hello}. */
export type Hello = z.infer<typeof hello>;

/** In place of its first line: why an agent will not work for this driver. */
export const refused = z.strictObject({ schema: z.string(), refused: z.string(), hint: z.string().optional() });

/** A runtime's binary; see `RuntimeBinary`. */
export const runtimeBinary = z.strictObject({
  name: z.enum(["node", "deno", "bun"]),
  label: z.string(),
  wanted: z.string(),
  file: z.string(),
  version: z.string(),
  origin: z.enum(["npm", "path", "fetched", "file"]),
});

const serverSpec = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("app"),
    runtime: z.string(),
    module: z.string(),
    options: z.record(z.string(), value).optional(),
    runtimeArgs: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: texts.optional(),
    directory: z.string().optional(),
    state: z.enum(["shared", "copy"]).optional(),
  }),
  z.strictObject({
    kind: z.literal("command"),
    command: z.array(z.string()),
    port: z.int().optional(),
    cwd: z.string().optional(),
    env: texts.optional(),
    ready: z.string(),
    stop: z.enum(["stdin", "SIGTERM"]),
    identity: texts.optional(),
  }),
  z.strictObject({ kind: z.literal("running"), url: z.string(), pid: pid.optional(), identity: texts.optional() }),
]);

const filesSpec = z.strictObject({
  builder: z.string(),
  request: z.record(z.string(), value),
  runtime: z.enum(["node", "deno", "bun"]).optional(),
});

const id = z.int().positive();
const ask = <const N extends string, S extends z.ZodRawShape>(name: N, shape: S) =>
  z.strictObject({ id, ask: z.literal(name), ...shape });

/** Everything a driver may ask of an agent. `id` is new for each. */
export const request = z.discriminatedUnion("ask", [
  ask("facts", {}),
  ask("runtimes", { wanted: z.array(runtimeBinary) }),
  ask("program", {
    wish: z.strictObject({
      program: z.string(),
      module: z.string().optional(),
      versionArgs: z.array(z.string()),
    }),
  }),
  ask("hashes", { files: z.array(z.string()) }),
  ask("sources", { wanted: z.array(z.strictObject({ file: z.string(), home: z.string().nullable() })) }),
  ask("start", {
    command: z.strictObject({
      file: z.string(),
      args: z.array(z.string()),
      cpus,
      raised: z.boolean().optional(),
      ownSession: z.boolean().optional(),
      env: texts,
      cwd: z.string().optional(),
      files: texts.optional(),
      output: z.array(z.string()).optional(),
    }),
    /** Whether its lines are told as they come. */
    lines: z.boolean(),
  }),
  ask("serve", {
    server: z.strictObject({
      spec: serverSpec,
      runtime: runtimeBinary.nullable(),
      cpus,
      raised: z.boolean().optional(),
      port: z.int().optional(),
      hostname: z.string().optional(),
      copy: z.boolean().optional(),
      root: z.string().optional(),
      ballast: z.number().optional(),
      readyMs: z.number().optional(),
    }),
  }),
  /** Of a server: `of` is the id it was asked for with. */
  ask("stop", { of: id }),
  /** Without a signal it is killed with all it has started. */
  ask("kill", { of: id, signal: z.enum(["SIGINT", "SIGTERM", "SIGKILL", "SIGSTOP", "SIGCONT"]).optional() }),
  ask("build", {
    files: z.strictObject({
      specs: z.array(filesSpec),
      dataDirectory: z.string(),
      root: z.string().optional(),
      verify: z.enum(["quick", "full"]),
      cpus,
    }),
  }),
  ask("check-out", { revision: z.strictObject({ ref: z.string(), commit: z.string() }), cacheDirectory: z.string() }),
  ask("sample", {
    wish: z.strictObject({
      pids: z.array(pid.nullable()),
      what: z.enum(["processes", "cpus", "counts"]),
      links: z.boolean().optional(),
      sizes: z.boolean().optional(),
    }),
  }),
  ask("thread-cpus", { pid }),
  ask("peak-rss", { pid }),
  ask("size", { pid }),
  ask("free-memory", {}),
  /** A client of a server; `send` and `hang-up` name it by the id it was opened with. */
  ask("open", { url: z.string(), timeoutMs: z.number() }),
  ask("send", {
    of: id,
    method: z.string(),
    path: z.string(),
    body: z.string().optional(),
    headers: texts.optional(),
  }),
  ask("hang-up", { of: id }),
  ask("round-trip", { url: z.string() }),
]);

/** See {@link request}. */
export type AgentRequest = z.infer<typeof request>;

const reading = <T extends z.ZodType>(of: T) =>
  z.union([z.strictObject({ value: of }), z.strictObject({ unreadable: z.string() })]);
const nothing = z.null();

/** What an agent answers to each. */
export const answers = {
  facts: z.strictObject({
    machine: runRecord.shape.machine,
    topology: z.strictObject({
      cpus: z.array(z.strictObject({ id: z.int(), core: z.int(), node: z.int() })).nullable(),
      why: z.string(),
    }),
    priority: z.union([z.strictObject({ nice: z.int() }), z.strictObject({ nice: z.null(), why: z.string() })]),
    grade: runRecord.shape.grade,
    machineId: z.string(),
    processSpace: z.string().nullable(),
    links: z.array(z.strictObject({
      name: z.string(),
      address: z.string(),
      loopback: z.boolean(),
      bitsPerSecond: z.number().positive().nullable(),
    })),
  }),
  runtimes: z.array(runtimeBinary),
  program: z.strictObject({
    program: z.string(),
    lead: z.array(z.string()),
    output: z.string(),
    sha256: z.string(),
  }).nullable(),
  hashes: z.array(z.string()),
  sources: z.array(z.string().nullable()),
  start: z.strictObject({ pid: z.int() }),
  serve: z.union([
    z.strictObject({ failed: reasonSchema, stderr: z.string() }),
    z.strictObject({ unsupported: z.string() }),
    z.strictObject({
      pid: pid.nullable(),
      url: z.string(),
      startupMs: z.number().nullable(),
      ready: readyLine.options[0].nullable(),
      stop: z.enum(["stdin", "SIGTERM"]),
      mark: z.string().optional(),
      /** Null for one that somebody else started. */
      process: z.strictObject({ pid: z.int() }).nullable(),
    }),
  ]),
  stop: nothing,
  kill: nothing,
  build: z.string().nullable(),
  "check-out": z.string(),
  sample: hostSample,
  "thread-cpus": reading(z.array(z.string())),
  "peak-rss": reading(z.number()),
  size: z.strictObject({ bytes: z.number(), descriptors: z.int() }).nullable(),
  "free-memory": reading(z.number()),
  open: nothing,
  send: z.union([
    z.strictObject({ status: z.int(), headers: texts, body: z.string() }),
    /** What the client says of a reply that did not come. */
    z.strictObject({ rejected: z.string() }),
  ]),
  "hang-up": nothing,
  "round-trip": z.number().nullable(),
} satisfies Record<AgentRequest["ask"], z.ZodType>;

const ending = z.union([
  z.strictObject({ failed: z.string() }),
  z.strictObject({
    code: z.int().nullable(),
    signal: z.string().nullable(),
    leftBehind: z.literal(true).optional(),
    endedUs: z.number(),
    files: texts,
  }),
]);

const filesEvent = z.discriminatedUnion("event", [
  z.strictObject({ event: z.literal("progress"), text: z.string() }),
  z.strictObject({
    event: z.literal("ready"),
    request: z.int().nonnegative(),
    directory: z.string(),
    title: z.string(),
    sha256: z.string(),
    diskBytes: z.number(),
    built: z.string().nullable(),
    buildMs: z.number(),
  }),
  z.strictObject({ event: z.literal("failed"), message: z.string() }),
]);

/** Everything an agent says after its first line: an answer, or what became of something it was asked for. */
export const told = z.union([
  z.strictObject({ re: id, value: z.unknown() }),
  /** It could not: for a person, with what to try next. */
  z.strictObject({ re: id, failed: z.string(), hint: z.string().optional() }),
  z.strictObject({ of: id, line: z.string() }),
  z.strictObject({ of: id, built: filesEvent }),
  z.strictObject({ of: id, ended: ending, stdout: z.string(), stderr: z.string() }),
]);

/** See {@link told}. */
export type Told = z.infer<typeof told>;

/** A message as a line; maps become lists of pairs. */
export const lineOf = (message: Told | AgentRequest | Hello | z.infer<typeof refused>) =>
  `${JSON.stringify(message, (_, part) => part instanceof Map ? [...part] : part)}\n`;
