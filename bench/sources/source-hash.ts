import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileSha256 } from "../runtimes/runtimes.ts";

/** Files that mark a project's folder, searched upwards. */
const MARKS = ["package.json", "deno.json", "deno.jsonc", "tsconfig.json", "bunfig.toml"];

/** The folder of an app: the nearest with settings of a project. A program of a package is of the project around. */
export function homeOf(module: string): string {
  const inside = dirname(module.replace(/[\\/]node_modules[\\/].*/s, "/module"));
  for (let folder = inside;; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return inside;
  }
}

/** Programs, settings and lock files of projects; other data may be the app's output. */
const SOURCE =
  /\.[cm]?[jt]sx?$|^(package|package-lock|deno|tsconfig.*|jsconfig)\.jsonc?$|\.lock$|^(bunfig\.toml|pnpm-lock\.yaml)$/;
const LEFT_OUT = ["node_modules", "dist", "coverage"];
/** The plan has the content of a config. */
const CONFIG = /^levelfield\.config\.m?[jt]s$/;

/** A folder with more files or bytes is no app's: then the module alone is hashed. */
const MOST_FILES = 2_000;
const MOST_BYTES = 64 * 2 ** 20;

/** Hash over an app's source, and over how many files. */
export interface SourceHash {
  readonly sha256: string;
  readonly source: { readonly of: "home" | "module"; readonly files: number };
}

/** SHA-256 over the names and contents of an app's files; the lock file represents its packages. */
export function sourceHash(module: string, home: string): SourceHash {
  const files = sourceFiles(home);
  if (files === null) return { sha256: fileSha256(module), source: { of: "module", files: 1 } };
  const all = [...new Set([...files, realpathSync(module)])].sort();
  const hash = createHash("sha256");
  // Names start at the real path, independent of links.
  const root = realpathSync(home);
  for (const file of all) hash.update(`${relative(root, file)}\0${fileSha256(file)}\n`);
  return { sha256: hash.digest("hex"), source: { of: "home", files: all.length } };
}

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

/** A user's source as a host may have it. */
export interface SourceLocation {
  readonly file: string;
  /** The folder whose source is hashed with it; null for the file alone. */
  readonly home: string | null;
}

/** Hash of each source as it is here; null for one that is not. */
export function sourcesHere(wanted: readonly SourceLocation[]): (string | null)[] {
  return wanted.map(({ file, home }) =>
    !existsSync(file) || !statSync(file).isFile()
      ? null
      : home === null
      ? fileSha256(file)
      : sourceHash(file, home).sha256
  );
}
