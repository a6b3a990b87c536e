import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { OwnSpec } from "../core/own/own-spec.ts";
import { fileSha256 } from "../host/runtimes.ts";

/** Files by which a folder is known as a project's, from the nearest on upwards. */
const MARKS = ["package.json", "deno.json", "deno.jsonc", "tsconfig.json", "bunfig.toml"];

/** The folder an app lives in: the nearest one upwards with settings of a project, else the module's own. */
export function homeOf(module: string): string {
  const own = dirname(module);
  for (let folder = own;; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return own;
  }
}

/** Programs, and the settings and lock files of projects; other data may be what the app writes. */
const SOURCE =
  /\.[cm]?[jt]sx?$|^(package|package-lock|deno|tsconfig.*|jsconfig)\.jsonc?$|\.lock$|^(bunfig\.toml|pnpm-lock\.yaml)$/;
const LEFT_OUT = ["node_modules", "dist", "coverage"];
/** What a config says stands in the plan. */
const CONFIG = /^levelfield\.config\.m?[jt]s$/;

/** More files or bytes than a person's app has of its own: the module alone is hashed then. */
const MOST_FILES = 2_000;
const MOST_BYTES = 64 * 2 ** 20;

/** Hash over an app's source, and over how many files. */
export interface SourceHash {
  readonly sha256: string;
  readonly source: { readonly of: "home" | "module"; readonly files: number };
}

/** SHA-256 over the names and contents of what an app is made of, its packages known by the lock file alone. */
export function sourceHash(module: string, home: string): SourceHash {
  const files = sourceFiles(home);
  if (files === null) return { sha256: fileSha256(module), source: { of: "module", files: 1 } };
  const all = [...new Set([...files, realpathSync(module)])].sort();
  const hash = createHash("sha256");
  for (const file of all) hash.update(`${relative(home, file)}\0${fileSha256(file)}\n`);
  return { sha256: hash.digest("hex"), source: { of: "home", files: all.length } };
}

/** The files of a folder that are source, or null where they are too many. */
function sourceFiles(home: string): string[] | null {
  const found: string[] = [];
  let bytes = 0;
  const folders = [realpathSync(home)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || LEFT_OUT.includes(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile() || !SOURCE.test(entry.name) || CONFIG.test(entry.name)) continue;
      found.push(path);
      bytes += statSync(path).size;
      if (found.length > MOST_FILES || bytes > MOST_BYTES) return null;
    }
  }
  return found;
}

/** The files a command's words name, each with its hash: its program where it is a path, and scripts. */
export function filesOfCommand(command: readonly string[], folder: string): { path: string; sha256: string }[] {
  return command.flatMap((word) => {
    const path = join(folder, word);
    const file = word.startsWith("/") ? word : path;
    return existsSync(file) && statSync(file).isFile() ? [{ path: word, sha256: fileSha256(file) }] : [];
  });
}

/** The same of a suite's module and the folder it lives in; undefined for a suite without one. */
export const suiteSource = (module: string | null, folder: string): SourceHash | undefined =>
  module === null ? undefined : sourceHash(resolve(folder, module), homeOf(resolve(folder, module)));

/** How what a spec was planned with differs from what is there now, in words; null where it does not. */
export function changeOf({ servers, env }: OwnSpec, folder: string): string | null {
  for (const server of servers) {
    if (server.kind === "app") {
      const module = resolve(folder, server.module);
      if (!existsSync(module)) return `app "${server.name}" was planned from "${server.module}", which is not here`;
      if (sourceHash(module, resolve(folder, server.home)).sha256 !== server.sha256) {
        return `app "${server.name}" is not the planned one any more: its source has changed`;
      }
    }
    if (server.kind !== "command") continue;
    const now = filesOfCommand(server.command, resolve(folder, server.home ?? "."));
    const changed = server.files.find(({ path, sha256 }) => now.find((one) => one.path === path)?.sha256 !== sha256);
    if (changed !== undefined) return `"${changed.path}" of "${server.name}" is not the planned one any more`;
  }
  const missing = env.find((name) => process.env[name] === undefined);
  return missing === undefined ? null : `the variable ${missing} is not set, which the plan's servers see`;
}
