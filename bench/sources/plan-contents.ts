import { statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { orElse } from "../basics/errors.ts";
import { planWords, type WholePlan } from "../plan/plan-actions.ts";
import { fileSha256 } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { homeOf, sourceHash } from "./source-hash.ts";

/** Names and SHA-256 of files, in hexadecimal, each name once. */
export type Contents = readonly (readonly [name: string, sha256: string])[];

/**
 * Returns the files that a plan names and holds no hash of, with their hashes. A command may name them inside a word
 * (`--import=./x.mjs`, `sh -c "./x.sh"`). A suite's module may import the source of the folder it lives in: that is one
 * entry more, under the folder's name and a slash, which no file's name ends in.
 *
 * @param folders the folders that paths are from: the first one that has a file counts
 */
export function planContents(whole: WholePlan, folders: readonly [string, ...string[]]): Contents {
  const found = new Map<string, string>();
  const hashed = (name: string, hash: () => string) => found.set(name, orElse(hash, "unreadable"));
  for (const { home, word } of planWords(whole)) {
    const isSuite = word === whole.plan.suite.module;
    for (const path of isSuite ? [word] : new Set([word, ...word.split(/[\s=;|&<>"'()]+/)])) {
      const file = folders.map((folder) => resolve(folder, home, path)).find(isFile);
      if (file === undefined) continue;
      hashed(nameIn(folders[0], file), () => fileSha256(file));
      const lives = isSuite ? homeOf(file) : null;
      // The source of this project is compared as a whole.
      if (lives === null || lives === resolve(PROJECT_ROOT)) continue;
      hashed(`${nameIn(folders[0], lives)}/`, () => sourceHash(file, lives).sha256);
    }
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1);
}

/** Returns the names of files that differ between two lists, also of those that only one has. */
export function changedContents(before: Contents, now: Contents): string[] {
  const [old, current] = [new Map(before), new Map(now)];
  return [...new Set([...old.keys(), ...current.keys()])].filter((name) => old.get(name) !== current.get(name)).sort();
}

const isFile = (file: string): boolean => orElse(() => statSync(file).isFile(), false);

function nameIn(folder: string, file: string): string {
  const way = relative(folder, file) || ".";
  return way.startsWith("..") || isAbsolute(way) ? file : way;
}
