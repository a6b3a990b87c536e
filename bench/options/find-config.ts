import { existsSync } from "node:fs";
import { join } from "node:path";

/** Names a config is found under in the working folder; the first wins. */
export const CONFIG_FILES = ["levelfield.config.ts", "levelfield.config.js", "levelfield.config.mjs"] as const;

/** The file of a config in a folder; undefined where there is none. */
export function findConfig(folder: string): string | undefined {
  return CONFIG_FILES.map((name) => join(folder, name)).find((file) => existsSync(file));
}
