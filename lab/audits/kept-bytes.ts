/** How much a kept run of an audit may take. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The most bytes of a newly kept run: a clone brings all of them. */
export const MOST_KEPT_BYTES = 250_000;

/** Returns the bytes of all files in a folder. */
export const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
