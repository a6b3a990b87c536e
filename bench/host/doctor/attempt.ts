import type { Reading } from "../../record/samples.ts";

/** Reads something; a thrown error or undefined becomes the reason it could not be read. */
export function attempt<T>(what: string, read: () => T | undefined): Reading<T> {
  try {
    const value = read();
    return value === undefined ? { unreadable: `${what} has an unknown form` } : { value };
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { unreadable: `${path ?? what} is not there` };
    return { unreadable: `${what}: ${code ?? message.split("\n")[0]}` };
  }
}

/** The number in the first group of a pattern; undefined where the text does not have it. */
export function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
