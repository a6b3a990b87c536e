import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Awaitable } from "../store.ts";

const MANIFEST = "manifest.json";
const STAMP = ".stamp.json";
const SCHEMA = "levelfield.folder/1";
/** Deno tells times in whole milliseconds, Linux itself moves file times on in ticks of up to 10. */
const CLOCK_GRAIN_MS = 10;
/** How often a place that others keep taking is tried for. */
const ATTEMPTS = 5;

const builtFile = z.strictObject({
  name: z.string().regex(/^[^/]+$/),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifestSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  /** The request it was built from; a folder built from another one is rebuilt. */
  identity: z.record(z.string(), z.union([z.string(), z.number()])),
  files: z.array(builtFile).readonly(),
  buildMs: z.int().nonnegative(),
}).readonly();

/** One file of a built folder. */
type BuiltFile = Readonly<z.infer<typeof builtFile>>;

/** The description of a built folder. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A folder that is whole, and why it had to be built if it had to. */
export interface BuiltFolder {
  readonly directory: string;
  readonly manifest: Manifest;
  /** Null when the folder was there and sound. */
  readonly built: string | null;
}

/**
 * Gives a folder with the wanted identity: the one there if it is sound, else one newly built.
 * It is built next to its place and renamed when whole, so an interrupted build leaves no half-made folder.
 * @param verify `quick` hashes only files whose size, time or inode changed since they were last hashed; `full` hashes all
 */
export async function ensureFolder(
  directory: string,
  identity: Manifest["identity"],
  build: (into: string) => Awaitable<void>,
  verify: "quick" | "full" = "quick",
): Promise<BuiltFolder> {
  const wanted = { directory, identity, verify };
  const parent = dirname(directory);
  if (existsSync(parent)) removeAbandoned(parent);
  const fault = await faultOf(wanted);
  if (typeof fault !== "string") return { directory, manifest: fault, built: null };

  const started = performance.now();
  await mkdir(parent, { recursive: true });
  const workshop = join(parent, `.building-${process.pid}-${basename(directory)}`);
  rmSync(workshop, { recursive: true, force: true });
  await mkdir(workshop);
  try {
    await build(workshop);
    const files: BuiltFile[] = [];
    for (const name of filesIn(workshop)) files.push(await hashFile(workshop, name));
    const manifest: Manifest = { schema: SCHEMA, identity, files, buildMs: Math.round(performance.now() - started) };
    writeFileSync(join(workshop, MANIFEST), JSON.stringify(manifest, null, 2) + "\n");
    writeStamp(workshop, manifest);
    const theirs = await putInPlace(workshop, wanted);
    return theirs === undefined ? { directory, manifest, built: fault } : { directory, manifest: theirs, built: null };
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** A folder to have and how closely to look at it. */
interface Wanted {
  readonly directory: string;
  readonly identity: Manifest["identity"];
  readonly verify: "quick" | "full";
}

/**
 * Gives a finished workshop its name. When somebody else built a sound folder meanwhile, theirs stays and its manifest
 * is returned: they may be reading it already.
 */
async function putInPlace(workshop: string, wanted: Wanted): Promise<Manifest | undefined> {
  for (let attempt = 1;; attempt++) {
    const judged = inodeOf(wanted.directory);
    const theirs = await faultOf(wanted);
    if (typeof theirs !== "string") return theirs;
    // Only the folder just judged is moved away, never one that took its place since.
    const unsound = `${workshop}-unsound`;
    if (judged !== undefined && judged === inodeOf(wanted.directory)) {
      await rename(wanted.directory, unsound).catch(ignore("ENOENT"));
      rmSync(unsound, { recursive: true, force: true });
    }
    try {
      await rename(workshop, wanted.directory);
      return undefined;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

const ignore = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error;
};

/** The manifest of a sound folder, or in words what is wrong with it. */
async function faultOf({ directory, identity, verify }: Wanted): Promise<Manifest | string> {
  if (!existsSync(directory)) return "not built yet";
  const manifest = readManifest(directory);
  if (manifest === undefined) return "its manifest is missing or damaged";
  for (const key of new Set([...Object.keys(identity), ...Object.keys(manifest.identity)])) {
    if (manifest.identity[key] !== identity[key]) {
      return `its ${key} is ${JSON.stringify(manifest.identity[key])}, wanted ${JSON.stringify(identity[key])}`;
    }
  }
  const known = new Set(manifest.files.map((file) => file.name));
  for (const name of filesIn(directory)) {
    if (!known.has(name) && statSync(join(directory, name)).size > 0) return `"${name}" was written after the build`;
  }
  for (const file of manifest.files) {
    const stat = statSync(join(directory, file.name), { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile()) return `"${file.name}" is missing`;
    if (stat.size !== file.bytes) return `"${file.name}" has ${stat.size} bytes, built with ${file.bytes}`;
  }
  // A stamp older than the manifest says nothing about the hashes that now stand there.
  const isUnchanged = verify === "quick" ? stampReader(directory) : () => false;
  const trusted = isUnchanged(MANIFEST);
  let hashed = false;
  for (const file of manifest.files) {
    if (trusted && isUnchanged(file.name)) continue;
    hashed = true;
    if ((await hashFile(directory, file.name)).sha256 !== file.sha256) return `"${file.name}" is damaged`;
  }
  if (hashed) writeStamp(directory, manifest);
  return manifest;
}

/** Everything but bookkeeping and SQLite's shared-memory file, which holds nothing that lasts. */
function filesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name !== MANIFEST && !name.startsWith(".") && !name.endsWith("-shm"))
    .sort();
}

function readManifest(directory: string): Manifest | undefined {
  return manifestSchema.safeParse(readJson(join(directory, MANIFEST))).data;
}

/**
 * Says of a file whether it is still as the stamp saw it. A file changed just before the stamp was written may have
 * changed again within the clock's grain, as in git's racy index, so that one counts as changed.
 */
function stampReader(directory: string): (name: string) => boolean {
  const file = join(directory, STAMP);
  const stamp = z.record(z.string(), z.string()).safeParse(readJson(file)).data;
  if (stamp === undefined) return () => false;
  const stampedMs = statSync(file).mtimeMs;
  return (name) =>
    stamp[name] === stampOf(directory, name) && statSync(join(directory, name)).mtimeMs < stampedMs - CLOCK_GRAIN_MS;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function writeStamp(directory: string, manifest: Manifest): void {
  const names = [MANIFEST, ...manifest.files.map((file) => file.name)];
  const stamp = Object.fromEntries(names.map((name) => [name, stampOf(directory, name)]));
  writeFileSync(join(directory, STAMP), JSON.stringify(stamp));
}

function stampOf(directory: string, name: string): string {
  const stat = statSync(join(directory, name), { bigint: true });
  return `${stat.ino}-${stat.size}-${stat.mtimeNs}`;
}

async function hashFile(directory: string, name: string): Promise<BuiltFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(join(directory, name), { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, bytes, sha256: hash.digest("hex") };
}

/** Removes workshops and scratch copies whose process is gone. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^\.(?:building|scratch)-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid))) {
      try {
        rmSync(join(parent, name), { recursive: true, force: true });
      } catch {
        // A folder that cannot be removed does no harm.
      }
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
