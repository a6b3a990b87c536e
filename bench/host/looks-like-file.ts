import { existsSync } from "node:fs";

/** Whether a word names a file to take a suite or a module from, rather than one of this project. */
export function looksLikeFile(word: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(word) || /^\.{1,2}$/.test(word) || (/[/\\]/.test(word) && existsSync(word));
}
