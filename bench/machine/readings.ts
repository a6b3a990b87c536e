import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { orElse } from "../basics/errors.ts";
import type { Reading } from "../record/samples.ts";

/** Reads a folder of files such as /proc, or one made for a test. Readers throw for a missing file. */
export type FileTree = ReturnType<typeof fileTree>;

/** The files below a folder. */
export function fileTree(root: string) {
  const text = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
  const line = (path: string) => text(path).trim();
  return {
    text,
    line,
    /** Like `line`, with another text if the file cannot be read. */
    lineOr(path: string, otherwise = ""): string {
      return orElse(() => line(path), otherwise);
    },
    /** A whole number of zero or more, alone in its file; undefined otherwise. */
    count(path: string): number | undefined {
      const found = line(path);
      return /^\d+$/.test(found) ? Number(found) : undefined;
    },
    list: (...path: string[]): readonly string[] => readdirSync(join(root, ...path)),
    has: (path: string) => existsSync(join(root, path)),
    real: (path: string) => relative(realpathSync(root), realpathSync(join(root, path))),
  };
}

/**
 * Reads something; a thrown error or undefined becomes the reason it could not be read.
 *
 * @param what how the reason names it; null where the file or program that failed says enough
 */
export function attempt<T>(what: string | null, read: () => T | undefined): Reading<T> {
  try {
    const value = read();
    return value === undefined ? { unreadable: `${what ?? "what was read"} has an unknown form` } : { value };
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    const named = what ?? path;
    if (code === "ENOENT") return { unreadable: `${named ?? "it"} is not there` };
    const why = code ?? message.split("\n")[0]!;
    return { unreadable: named === undefined ? why : `${named}: ${why}` };
  }
}

/** The number in the first group of a pattern; undefined where the text does not have it. */
export function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
