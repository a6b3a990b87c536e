import { z } from "zod";
import { atSchema } from "./cell-schema.ts";
import { planSchema } from "./plan.ts";

const count = z.int().nonnegative();
const cpus = z.array(z.int().nonnegative()).nullable();

const toolSchema = z.strictObject({ name: z.string(), version: z.string(), sha256: z.string() });

/** A machine as results keep it: what explains its figures. */
const machineSchema = z.strictObject({
  os: z.string(),
  kernel: z.string(),
  architecture: z.string(),
  cpu_model: z.string(),
  /** Tells kinds of CPU apart where the model does not: `intel-6-207`, `arm-41-d0c`. Ratios do not travel between kinds. */
  cpu_kind: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  cpus: z.int().positive(),
  cpus_allowed: z.string().nullable(),
  memory_bytes: z.int().positive(),
  virtualization: z.string().nullable(),
  container: z.string().nullable(),
  /** C library of the driver's process; null where it is none of glibc and musl. */
  libc: z.string().nullable(),
  /** Frequency governors of the allowed CPUs, once each; null where the kernel shows none, as in most guests. */
  governors: z.array(z.string()).nullable(),
  /** Allowed CPUs; null where processes cannot be placed. */
  topology: z.array(z.strictObject({ cpu: count, core: count, node: count })).nullable(),
  /** What servers and generators see besides the names of folders. */
  environment: z.record(z.string(), z.string()),
});

/** Hosts that were named: the commands that led to them, null for the driver's own, and how they were joined. */
export const hostsSchema = z.strictObject({
  server: z.string().nullable(),
  load: z.string().nullable(),
  /** Address servers listened on. */
  address: z.string(),
  /** Interface with that address, and its speed; null where it does not tell. */
  link: z.strictObject({ name: z.string(), bits_per_second: z.number().positive().nullable() }),
  /** The load generator's machine, where that is another one. */
  load_machine: machineSchema.optional(),
  /** CPUs of the same machine that the load generator's host may use, where these are others. */
  load_topology: machineSchema.shape.topology.optional(),
});

/** run.json: what was planned, on what, with what. */
export const runRecord = z.strictObject({
  schema: z.literal("levelfield.run/4"),
  run: z.string(),
  started_at: z.iso.datetime(),
  /** Null while the run goes on. */
  finished_at: z.iso.datetime().nullable(),
  /** `interrupted` and `running` runs have the lines in journal.ndjson and no more. */
  state: z.enum(["running", "finished", "interrupted"]),
  levelfield: z.strictObject({
    version: z.string(),
    git_commit: z.string().nullable(),
    git_dirty: z.boolean().nullable(),
    lock_file_sha256: z.string().nullable(),
    /** Over all source of driver, servers and suites: says what ran even where git cannot. */
    source_sha256: z.string(),
    flake_lock_sha256: z.string().nullable(),
    /** Who put the tools in place: npm by package-lock.json, Nix by flake.lock, or the container image. */
    environment: z.enum(["npm", "nix", "image"]),
    /** Null unless whoever started the container said it in LEVELFIELD_IMAGE_DIGEST: an image cannot know its own. */
    image_digest: z.string().nullable(),
  }),
  /** Only with --against: the other revision, and the label of its cells. */
  against: z.strictObject({ ref: z.string(), commit: z.string(), label: z.string() }).optional(),
  plan: planSchema,
  /** Threads the generator really had. */
  generator_threads: z.int().positive(),
  placement: z.strictObject({
    pinning: z.enum(["separate-cores", "siblings", "one-cpu", "chosen", "none"]),
    server_cpus: cpus,
    load_cpus: cpus,
    note: z.string(),
  }),
  /** Niceness servers and generator ran at where it could be raised, else why it could not. */
  priority: z.strictObject({ nice: z.int().nullable(), why: z.string().nullable() }),
  /** How far this machine's figures can be trusted by themselves, and what keeps it from better. */
  grade: z.strictObject({ grade: z.enum(["dedicated", "shared", "advisory"]), reasons: z.array(z.string()) }),
  /** Of the servers. */
  machine: machineSchema,
  /** Only where hosts were named. */
  hosts: hostsSchema.optional(),
  runtimes: z.array(z.strictObject({
    name: z.string(),
    version: z.string(),
    sha256: z.string(),
    /** The value of the axis that binds runtimes; `name` is what it is: node, deno or bun. */
    label: z.string(),
    /** As it was asked for, so that a stopped run finds it again. */
    wanted: z.string(),
    origin: z.enum(["npm", "path", "fetched", "file"]),
  })),
  generator: toolSchema,
  /** Only where another generator measures: what warmed the servers up. */
  warmed_by: toolSchema.optional(),
  /** What made the further windows, where there are any. */
  further_generators: z.array(toolSchema).optional(),
  driver: z.strictObject({ runtime: z.string(), version: z.string() }),
  /** What was built for the servers, and from what. */
  files: z.array(z.strictObject({ title: z.string(), request: atSchema, sha256: z.string(), disk_bytes: count })),
});

/** See {@link runRecord}. */
export type RunRecord = z.infer<typeof runRecord>;
