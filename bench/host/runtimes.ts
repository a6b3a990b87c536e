import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { detectRuntime, RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { failure, usageError } from "../basics/errors.ts";
import { findProgram } from "./child.ts";
import { fetchRuntime } from "./fetch-runtime.ts";
import { fetchedPinned, fetchPinned, isNewEnough, pinnedVersion } from "./pinned-runtimes.ts";
import { runToEnd } from "./run-to-end.ts";

/** The project's own folder. */
export const PROJECT_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Whether this is an installed package, which is built; a checkout runs as it is written. */
export const INSTALLED = !import.meta.url.endsWith(".ts");

/** What starts the driver. */
export const LAUNCHER = join(PROJECT_ROOT, ...(INSTALLED ? ["package", "levelfield.js"] : ["bin", "bench"]));

/** A runtime's binary as it will be run. */
export interface RuntimeBinary {
  readonly name: RuntimeName;
  /** Its name in cells, tables and files: `node`, or `node@24.21.0` for one that is not the pinned one. */
  readonly label: string;
  /** As it was asked for: `node`, `node@24.21.0` or `node=/opt/node24/bin/node`. */
  readonly wanted: string;
  /** Absolute, links resolved. */
  readonly file: string;
  readonly version: string;
  /** Where it came from. */
  readonly origin: "npm" | "path" | "fetched" | "file";
}

/** A runtime asked for: the pinned one, one exact version, or a file. */
export interface RuntimeWish {
  readonly name: RuntimeName;
  readonly source:
    | { readonly kind: "pinned" }
    | { readonly kind: "version"; readonly version: string }
    | { readonly kind: "file"; readonly file: string };
}

/** All of them, each as it is pinned. */
export const PINNED: readonly RuntimeWish[] = RUNTIME_NAMES.map((name) => ({ name, source: { kind: "pinned" } }));

/** Arguments between a runtime's binary and the script: each runs `.ts` unbuilt, fetches nothing and asks nothing. */
export const SCRIPT_ARGS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: [],
  deno: ["run", "--allow-all", "--no-check", "--cached-only", "--quiet"],
  bun: ["run", "--no-install"],
};

/** Arguments between the driver's own runtime and a script of this project: Node may be an older one. */
export function driverArgs(): readonly string[] {
  const { name } = detectRuntime();
  return name === "node" && !process.features.typescript
    ? ["--import", new URL("../older-node.js", import.meta.url).href]
    : SCRIPT_ARGS[name];
}

/**
 * The variables children see: enough to run, and nothing that changes with who calls. Everything else of the caller's
 * environment stays outside.
 */
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

/** Where other versions of runtimes are fetched to, and how a pinned one that is missing is come by. */
export interface RuntimeCache {
  readonly folder: string;
  /** `fetch`: it is fetched. `plan`: it is named and not looked at. Else it is an error. */
  readonly missing?: "fetch" | "plan";
  /** Gets the line that says what is fetched. */
  readonly tell?: (line: string) => void;
}

/**
 * Finds a runtime: the one npm pinned, else the one on PATH (inside the Nix shell that one is pinned). An installed package
 * looks in every node_modules around it, as for any other part of it, passes by one on PATH that is too old, and takes the
 * one it has fetched. Throws where there is none.
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

/** The folders npm may have put what this project needs into, the nearest first. */
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

/** Finds a runtime and asks it for its version. Throws when it is missing or does not run. */
export async function inspectRuntime(name: RuntimeName): Promise<RuntimeBinary> {
  const { file, origin } = locateRuntime(name);
  return { name, label: name, wanted: name, file, origin, version: await versionOf(name, file) };
}

async function versionOf(name: RuntimeName, file: string): Promise<string> {
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

/**
 * Finds every runtime asked for and gives each a label of its own, by the version it really has. Two files of one version
 * are told apart by the first digits of their hash; the same program asked for twice is a usage error.
 */
export async function resolveRuntimes(wishes: readonly RuntimeWish[], cache: RuntimeCache): Promise<RuntimeBinary[]> {
  const found: RuntimeBinary[] = [];
  if (cache.missing === "fetch") await fetchPinned(wishes.filter(isMissing).map(({ name }) => name), cache.tell);
  for (const wish of wishes) {
    const runtime = await resolveRuntime(wish, cache);
    const twin = found.find(({ label }) => label === runtime.label);
    if (twin === undefined) {
      found.push(runtime);
      continue;
    }
    const own = fileSha256(runtime.file);
    const label = `${runtime.label}-${own.slice(0, 8)}`;
    const same = fileSha256(twin.file) === own ? twin : found.find((other) => other.label === label);
    if (same !== undefined) {
      throw usageError(`"${same.wanted}" and "${runtime.wanted}" are the same program`, "give it once");
    }
    found.push({ ...runtime, label });
  }
  return found;
}

function isMissing({ name, source }: RuntimeWish): boolean {
  if (source.kind !== "pinned" || !INSTALLED) return false;
  try {
    locateRuntime(name);
    return false;
  } catch {
    return true;
  }
}

async function resolveRuntime(wish: RuntimeWish, { folder, missing }: RuntimeCache): Promise<RuntimeBinary> {
  const { name, source } = wish;
  if (missing === "plan" && isMissing(wish)) {
    return { name, label: name, wanted: name, file: "", version: pinnedVersion(name), origin: "fetched" };
  }
  if (source.kind === "pinned") return await inspectRuntime(name);
  if (source.kind === "file" && !existsSync(source.file)) {
    throw failure(`there is no file "${source.file}"`, `name ${name}'s own file, or a version such as ${name}@1.2.3`);
  }
  const file = source.kind === "file" ? realpathSync(source.file) : await fetchRuntime(name, source.version, folder);
  const version = await versionOf(name, file);
  return {
    name,
    label: `${name}@${version.replaceAll(/[^\w.+-]/g, "-")}`,
    wanted: source.kind === "file" ? `${name}=${source.file}` : `${name}@${source.version}`,
    file,
    version,
    origin: source.kind === "file" ? "file" : "fetched",
  };
}

/** SHA-256 of a file's bytes, in hexadecimal. */
export function fileSha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
