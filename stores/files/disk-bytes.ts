import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Sum of the sizes of a folder's files, in bytes. Bookkeeping and SQLite's shared-memory file do not count. */
export function diskBytes(directory: string): number {
  let sum = 0;
  for (const name of readdirSync(directory)) {
    if (name.startsWith(".") || name === "manifest.json" || name.endsWith("-shm")) continue;
    sum += statSync(join(directory, name)).size;
  }
  return sum;
}
