import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Sum of the sizes of a folder's own files, in bytes; names that start with a dot are bookkeeping and do not count. */
export function diskBytes(directory: string): number {
  let sum = 0;
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(".") && name !== "manifest.json") sum += statSync(join(directory, name)).size;
  }
  return sum;
}
