import { z } from "zod";
import { cellSchema } from "./trial-record.ts";

const count = z.int().nonnegative();
const cpus = z.array(z.int().nonnegative()).nullable();

const subject = z.strictObject({ cell: cellSchema, label: z.string() });

/** run.json: what was planned, on what, with what. */
export const runRecord = z.strictObject({
  schema: z.literal("levelfield.run/1"),
  run: z.string(),
  started_at: z.iso.datetime(),
  /** Null while the run goes on. */
  finished_at: z.iso.datetime().nullable(),
  /** `interrupted` and `running` runs have the trials in trials.ndjson and no more. */
  state: z.enum(["running", "finished", "interrupted"]),
  levelfield: z.strictObject({
    version: z.string(),
    git_commit: z.string().nullable(),
    git_dirty: z.boolean().nullable(),
    lock_file_sha256: z.string().nullable(),
    /** Over all source of driver, servers and stores: says what ran even where git cannot. */
    source_sha256: z.string(),
    flake_lock_sha256: z.string().nullable(),
    /** Who put the tools in place: npm by package-lock.json, Nix by flake.lock, or the container image. */
    environment: z.enum(["npm", "nix", "image"]),
    /** Null unless whoever started the container said it in LEVELFIELD_IMAGE_DIGEST: an image cannot know its own. */
    image_digest: z.string().nullable(),
  }),
  /** Only with --against: the other revision, and the label of its cells. */
  against: z.strictObject({ ref: z.string(), commit: z.string(), label: z.string() }).optional(),
  plan: z.strictObject({
    profile: z.string(),
    subjects: z.array(subject),
    duets: z.array(z.strictObject({
      purpose: z.enum(["runtimes", "stores", "labels", "aa", "pair"]),
      a: subject,
      b: subject,
    })),
    rounds: z.int().positive(),
    duration_ms: z.int().positive(),
    duet_ms: z.int().positive(),
    /** Of each of the two loads before a window. */
    warmup_ms: z.int().nonnegative(),
    connections: z.int().positive(),
    generator: z.string(),
    generator_threads: z.int().positive(),
    seed: z.int().nonnegative(),
    data_seed: z.int().nonnegative(),
    miss_share: z.number().min(0).max(1),
    engine: z.enum(["native", "node"]),
  }),
  placement: z.strictObject({
    pinning: z.enum(["separate-cores", "siblings", "one-cpu", "chosen", "none"]),
    server_cpus: cpus,
    load_cpus: cpus,
    note: z.string(),
  }),
  /** How far this machine's figures can be trusted by themselves, and what keeps it from better. */
  grade: z.strictObject({ grade: z.enum(["dedicated", "shared", "advisory"]), reasons: z.array(z.string()) }),
  machine: z.strictObject({
    os: z.string(),
    kernel: z.string(),
    architecture: z.string(),
    cpu_model: z.string(),
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
  }),
  runtimes: z.array(z.strictObject({
    name: z.string(),
    version: z.string(),
    sha256: z.string(),
    /** Its name in cells; `name` is what it is: node, deno or bun. */
    label: z.string(),
    /** As it was asked for, so that a stopped run finds it again. */
    wanted: z.string(),
    origin: z.enum(["npm", "path", "fetched", "file"]),
  })),
  /** What each store declares of itself. */
  stores: z.array(z.strictObject({
    name: z.string(),
    title: z.string(),
    complexity: z.enum(["O(1)", "O(log n)", "O(n)"]),
    durability: z.enum(["memory", "buffered", "synced"]),
  })),
  generator: z.strictObject({ name: z.string(), version: z.string(), sha256: z.string() }),
  driver: z.strictObject({ runtime: z.string(), version: z.string() }),
  data_sets: z.array(z.strictObject({ size: z.int().positive(), seed: z.int(), sha256: z.string() })),
});

/** See {@link runRecord}. */
export type RunRecord = z.infer<typeof runRecord>;
