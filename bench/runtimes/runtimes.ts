import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { detectRuntime, RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { failure, orElse } from "../basics/errors.ts";
import { findProgram, runToEnd } from "../machine/programs.ts";
import { compareVersions } from "../plan/versions.ts";
import { fetchedPinned, isNewEnough, pinnedVersion } from "./pinned-runtimes.ts";
import { INSTALLED, PROJECT_ROOT } from "./project-folders.ts";

/** A runtime's binary as it will be run. */
export interface RuntimeBinary {
  readonly name: RuntimeName;
  /** Its name in cells, tables and files: `node`, or `node@24.21.0` for one that is not the pinned one. */
  readonly label: string;
  /** The user's words for it: `node`, `node@24.21.0` or `node=/opt/node24/bin/node`. */
  readonly wanted: string;
  readonly file: string;
  readonly version: string;
  /** Distinguishes builds of one version: `bun --revision`, or the engine's version; left out for pinned ones. */
  readonly revision?: string;
  readonly origin: "npm" | "path" | "fetched" | "file";
}

/** A requested runtime: the pinned one, one exact version, those npm has in a range or under a tag, or a file. */
export interface RuntimeSpec {
  readonly name: RuntimeName;
  readonly source:
    | { readonly kind: "pinned" }
    | { readonly kind: "version"; readonly version: string }
    | { readonly kind: "range"; readonly text: string }
    | { readonly kind: "file"; readonly file: string };
}

/** All runtimes, each in its pinned version. */
export const PINNED: readonly RuntimeSpec[] = RUNTIME_NAMES.map((name) => ({ name, source: { kind: "pinned" } }));

/** Arguments between a runtime's binary and the script: each runs `.ts` unbuilt, fetches nothing and prompts for nothing. */
export const SCRIPT_ARGS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: [],
  deno: ["run", "--allow-all", "--no-check", "--cached-only", "--quiet"],
  bun: ["run", "--no-install"],
};

/** The {@link SCRIPT_ARGS} of a version: a Node that strips no types gets a hook. At most one comes before others. */
export function scriptArgs({ name, version }: Pick<RuntimeBinary, "name" | "version">): readonly string[] {
  const strips = compareVersions(version, "22.18.0") >= 0 &&
    !(compareVersions(version, "23.0.0") >= 0 && compareVersions(version, "23.6.0") < 0);
  return name !== "node" || strips ? SCRIPT_ARGS[name] : [`--import=${OLDER_NODE}`];
}

const OLDER_NODE = new URL("../older-node.js", import.meta.url).href;

/** Arguments between the driver's runtime and a script of this project: Node may be an older one. */
export function driverArgs(): readonly string[] {
  const { name } = detectRuntime();
  return name === "node" && !process.features.typescript ? ["--import", OLDER_NODE] : SCRIPT_ARGS[name];
}

/** The variables that children see: enough to run, and none that changes with the caller. */
export function childEnvironment(): Record<string, string> {
  const env: Record<string, string> = {
    NODE_ENV: "production",
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    DO_NOT_TRACK: "1",
  };
  for (const name of ["PATH", "HOME", "TMPDIR", "DENO_DIR", "LEVELFIELD_SQLITE"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/**
 * Finds a runtime: the one npm pinned, else the one on PATH (pinned inside the Nix shell). An installed package looks in
 * every node_modules around it, skips one on PATH that is too old, and takes the one it has fetched. Throws if there is
 * none.
 */
export function locateRuntime(name: RuntimeName): { file: string; origin: "npm" | "path" | "fetched" } {
  const pinned = process.env["LEVELFIELD_TOOLS"] === "path" ? undefined : foldersOfPackages()
    .map((folder) => join(folder, ".bin", name)).find((file) => existsSync(file));
  if (pinned !== undefined) return { file: realpathSync(pinned), origin: "npm" };
  const found = findProgram(name);
  if (found !== undefined && (!INSTALLED || isNewEnough(name, found))) {
    return { file: realpathSync(found), origin: "path" };
  }
  const fetched = INSTALLED ? fetchedPinned(name) : undefined;
  if (fetched !== undefined) return { file: fetched, origin: "fetched" };
  const later = INSTALLED ? `: the first run fetches ${pinnedVersion(name)}` : "";
  throw failure(`runtime "${name}" is not installed${later}`, remedyFor(name));
}

/** The folders in which npm may have installed this project's dependencies, the nearest first. */
export function foldersOfPackages(): string[] {
  const folders = [PROJECT_ROOT];
  while (INSTALLED && dirname(folders.at(-1)!) !== folders.at(-1)) folders.push(dirname(folders.at(-1)!));
  return folders.map((folder) => join(folder, "node_modules"));
}

function remedyFor(name: RuntimeName): string {
  return INSTALLED
    ? `npm install ${name}, or --runtime ${name}=/path/to/${name}, or leave it out with --runtime`
    : `run "npm ci" here, or leave it out with --runtime`;
}

/** Finds a runtime and its version. Throws if it is missing or does not run. */
export async function inspectRuntime(name: RuntimeName): Promise<RuntimeBinary> {
  const { file, origin } = locateRuntime(name);
  return { name, label: name, wanted: name, file, origin, version: await versionOf(name, file) };
}

/** The version a program says it is. Throws where it does not run. */
export async function versionOf(name: RuntimeName, file: string): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(file, ["--version"]);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (code !== 0 || version === undefined) {
    throw failure(
      `"${file} --version" does not run: ${(stderr || stdout).trim().split("\n")[0] || `exit ${code}`}`,
      remedyFor(name),
    );
  }
  return version;
}

/** Larger files are hashed once a process: runtimes have a hundred million bytes, which takes tenths of a second. */
const LARGE = 1_000_000n;

/** Hashes of large files, by everything that changes with their content: no program can set the last of these, the ctime. */
const hashes = new Map<string, string>();

/** Returns the SHA-256 of a file's bytes, in hexadecimal. */
export function fileSha256(file: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  const version = [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  const hash = hashes.get(version) ?? createHash("sha256").update(readFileSync(file)).digest("hex");
  if (size >= LARGE) hashes.set(version, hash);
  return hash;
}

/** Returns the version of each runtime by name; missing ones are left out. */
export async function runtimeVersions(): Promise<Map<string, string>> {
  const found = await Promise.allSettled(RUNTIME_NAMES.map(versionHere));
  return new Map(found.flatMap((result) => result.status === "fulfilled" ? [result.value] : []));
}

/** Reads the version from the package if npm installed the runtime, which is quicker than to start it. */
async function versionHere(name: RuntimeName): Promise<readonly [string, string]> {
  const { file, origin } = locateRuntime(name);
  for (let folder = dirname(file); origin === "npm" && folder !== dirname(folder); folder = dirname(folder)) {
    const found = orElse(() => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")), null);
    if (found?.name === name) return [name, found.version];
  }
  return [name, (await inspectRuntime(name)).version];
}
