import type { Reading } from "../record/samples.ts";

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
