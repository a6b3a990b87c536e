import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Awaitable } from "../store.ts";

const MANIFEST = "manifest.json";
const STAMP = ".stamp.json";
const SCHEMA = "levelfield.folder/1";

/** One file of a built folder. */
export interface BuiltFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a built folder is and holds. */
export interface Manifest {
  readonly schema: typeof SCHEMA;
  /** What it was built from; a folder built from anything else is rebuilt. */
  readonly identity: Readonly<Record<string, string | number>>;
  readonly files: readonly BuiltFile[];
  readonly buildMs: number;
}

/** A folder that is whole, and why it had to be built if it had to. */
export interface BuiltFolder {
  readonly directory: string;
  readonly manifest: Manifest;
  /** Null when the folder was there and sound. */
  readonly built: string | null;
}

/**
 * Gives a folder with the wanted identity: the one there if it is sound, else one newly built.
 * It is built beside its place and renamed when whole, so an interrupted build leaves no half-made folder.
 * @param verify `quick` hashes only files whose size, time or inode changed since they were last hashed; `full` hashes all
 */
export async function ensureFolder(
  directory: string,
  identity: Manifest["identity"],
  build: (into: string) => Awaitable<void>,
  verify: "quick" | "full" = "quick",
): Promise<BuiltFolder> {
  const fault = await faultOf(directory, identity, verify);
  if (typeof fault !== "string") return { directory, manifest: fault, built: null };

  const started = performance.now();
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true });
  removeAbandoned(parent);
  const workshop = join(parent, `.building-${process.pid}-${basename(directory)}`);
  rmSync(workshop, { recursive: true, force: true });
  await mkdir(workshop);
  try {
    await build(workshop);
    const files: BuiltFile[] = [];
    for (const name of ownFiles(workshop)) files.push(await hashFile(workshop, name));
    const manifest: Manifest = { schema: SCHEMA, identity, files, buildMs: Math.round(performance.now() - started) };
    writeFileSync(join(workshop, MANIFEST), JSON.stringify(manifest, null, 2) + "\n");
    rmSync(directory, { recursive: true, force: true });
    try {
      await rename(workshop, directory);
    } catch (error) {
      // Somebody else built it meanwhile: theirs is as good.
      const theirs = await faultOf(directory, identity, verify);
      if (typeof theirs === "string") throw error;
      return { directory, manifest: theirs, built: null };
    }
    writeStamp(directory, manifest);
    return { directory, manifest, built: fault };
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** The manifest of a sound folder, or in words what is wrong with it. */
async function faultOf(
  directory: string,
  identity: Manifest["identity"],
  verify: "quick" | "full",
): Promise<Manifest | string> {
  if (!existsSync(directory)) return "not built yet";
  const manifest = readManifest(directory);
  if (manifest === undefined) return "its manifest is missing or damaged";
  for (const key of new Set([...Object.keys(identity), ...Object.keys(manifest.identity)])) {
    if (manifest.identity[key] !== identity[key]) {
      return `its ${key} is ${JSON.stringify(manifest.identity[key])}, wanted ${JSON.stringify(identity[key])}`;
    }
  }
  const known = new Set(manifest.files.map((file) => file.name));
  for (const name of ownFiles(directory)) {
    if (!known.has(name) && statSync(join(directory, name)).size > 0) return `"${name}" was written after the build`;
  }
  for (const file of manifest.files) {
    const stat = statSync(join(directory, file.name), { throwIfNoEntry: false });
    if (stat === undefined) return `"${file.name}" is missing`;
    if (stat.size !== file.bytes) return `"${file.name}" has ${stat.size} bytes, built with ${file.bytes}`;
  }
  const stamp = verify === "quick" ? readStamp(directory) : {};
  let hashed = false;
  for (const file of manifest.files) {
    if (stamp[file.name] === stampOf(directory, file.name)) continue;
    hashed = true;
    if ((await hashFile(directory, file.name)).sha256 !== file.sha256) return `"${file.name}" is damaged`;
  }
  if (hashed) writeStamp(directory, manifest);
  return manifest;
}

/** Everything but bookkeeping and SQLite's shared-memory file, which holds nothing that lasts. */
function ownFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name !== MANIFEST && !name.startsWith(".") && !name.endsWith("-shm"))
    .sort();
}

function readManifest(directory: string): Manifest | undefined {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, MANIFEST), "utf8"));
    return manifest.schema === SCHEMA && Array.isArray(manifest.files) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function readStamp(directory: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(directory, STAMP), "utf8"));
  } catch {
    return {};
  }
}

function writeStamp(directory: string, manifest: Manifest): void {
  const stamp = Object.fromEntries(manifest.files.map((file) => [file.name, stampOf(directory, file.name)]));
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
export function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^\.(?:building|scratch)-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid))) {
      rmSync(join(parent, name), { recursive: true, force: true });
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
