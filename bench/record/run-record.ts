import { z } from "zod";
import { BOUNDS, list, longText } from "./bounds.ts";
import { atSchema } from "./cell-schema.ts";
import { planSchema } from "./plan.ts";

const count = z.int().nonnegative();
const cpus = list(z.int().nonnegative()).nullable();

const toolSchema = z.strictObject({ name: longText, version: longText, sha256: longText });

/** A machine in results: facts that explain its figures. */
const machineSchema = z.strictObject({
  os: longText,
  kernel: longText,
  architecture: longText,
  cpu_model: longText,
  /** The kind of a CPU, finer than its model: `intel-6-207`, `arm-41-d0c`. Ratios do not travel between kinds. */
  cpu_kind: longText.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  cpus: z.int().positive(),
  cpus_allowed: longText.nullable(),
  memory_bytes: z.int().positive(),
  virtualization: longText.nullable(),
  container: longText.nullable(),
  /** C library of the driver's process; null if it is none of glibc and musl. */
  libc: longText.nullable(),
  /** Frequency governors of the allowed CPUs, once each; null if the kernel shows none, as in most guests. */
  governors: list(longText).nullable(),
  /** Allowed CPUs; null if processes cannot be pinned. */
  topology: list(z.strictObject({ cpu: count, core: count, node: count })).nullable(),
  /** Environment variables of servers and generators, other than names of folders. */
  environment: z.record(longText, longText),
});

const linkSchema = z.strictObject({ name: longText, bits_per_second: z.number().positive().nullable() });

/** Hosts that were named: the commands that led to them, null for the driver's host, and how they were joined. */
const hostsSchema = z.strictObject({
  server: longText.nullable(),
  load: longText.nullable(),
  /** Address servers listened on. */
  address: longText,
  /** Interface with that address, and its speed; null if it reports none. */
  link: linkSchema,
  /** The host of services, if one was requested: as above. */
  service: z.strictObject({
    host: longText.nullable(),
    address: longText,
    link: linkSchema,
    /** Its machine, if that is neither the servers' nor the load generator's. */
    machine: machineSchema.optional(),
  }).optional(),
  /** The load generator's machine, where that is another one. */
  load_machine: machineSchema.optional(),
  /** CPUs of the same machine that the load generator's host may use, where these are others. */
  load_topology: machineSchema.shape.topology.optional(),
});

/** A doubt about a machine, as a mark with the code of a doctor's row; earlier runs have only its text. */
const gradeReason = z.union([
  z.strictObject({ code: longText, effect: z.enum(["note", "withholds"]), text: longText }),
  longText,
]);

/** The load generators of a run. */
const generatorsSchema = z.strictObject({
  generator: toolSchema,
  /** Threads the generator really had. */
  generator_threads: z.int().positive().max(BOUNDS.threads),
  /** The tool that warmed up servers, if another generator measures. */
  warmed_by: toolSchema.optional(),
  /** The generators of the extra windows, if there are any. */
  further_generators: list(toolSchema).optional(),
});

/** run.json: the plan of a run, its machine and its tools. */
export type RunRecord = z.infer<typeof runRecord>;
export const runRecord = z.strictObject({
  schema: z.literal("levelfield.run/4"),
  run: longText,
  started_at: z.iso.datetime(),
  /** Null while the run continues. */
  finished_at: z.iso.datetime().nullable(),
  /** `interrupted` and `running` runs have the lines in journal.ndjson and no more. */
  state: z.enum(["running", "finished", "interrupted"]),
  levelfield: z.strictObject({
    version: longText,
    git_commit: longText.nullable(),
    git_dirty: z.boolean().nullable(),
    lock_file_sha256: longText.nullable(),
    /** Hash over all source of driver, servers and suites: it identifies the code even without git. */
    source_sha256: longText,
    flake_lock_sha256: longText.nullable(),
    /** The source of the tools: npm by package-lock.json, Nix by flake.lock, or the container image. */
    environment: z.enum(["npm", "nix", "image"]),
    /** Null unless LEVELFIELD_IMAGE_DIGEST was set when the container started: an image cannot know it. */
    image_digest: longText.nullable(),
  }),
  /** Only with --against: the second revision, and the label of its cells. */
  against: z.strictObject({ ref: longText, commit: longText, label: longText }).optional(),
  plan: planSchema,
  placement: z.strictObject({
    pinning: z.enum(["separate-cores", "siblings", "one-cpu", "chosen", "none"]),
    server_cpus: cpus,
    load_cpus: cpus,
    note: longText,
  }),
  /** Niceness servers and generator ran at where it could be raised, else why it could not. */
  priority: z.strictObject({ nice: z.int().nullable(), why: longText.nullable() }),
  /** See `Grade` in finding.ts; `reasons` are those against a better grade, for `dedicated` the proofs. */
  grade: z.strictObject({ grade: z.enum(["dedicated", "shared", "advisory"]), reasons: list(gradeReason) }),
  /** Of the servers. */
  machine: machineSchema,
  /** Only where hosts were named. */
  hosts: hostsSchema.optional(),
  runtimes: list(z.strictObject({
    name: longText,
    version: longText,
    sha256: longText,
    /** The value of the axis that binds runtimes; `name` is what it is: node, deno or bun. */
    label: longText,
    /** The requested name, by which a resumed run finds it again. */
    wanted: longText,
    /** The program's name for this build of its version; absent for pinned ones. */
    revision: longText.optional(),
    origin: z.enum(["npm", "path", "fetched", "file"]),
  })),
  ...generatorsSchema.shape,
  driver: z.strictObject({ runtime: longText, version: longText }),
  /** Files built for the servers, and the request they were built from. */
  files: list(z.strictObject({ title: longText, request: atSchema, sha256: longText, disk_bytes: count })),
});
