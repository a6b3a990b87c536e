import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether a word names a file to take a suite or a module from, rather than one of this project or a run. */
export function looksLikeFile(word: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(word) || /^\.{1,2}$/.test(word) ||
    (/[/\\]/.test(word) && existsSync(word) && !existsSync(join(word, "run.json")));
}
