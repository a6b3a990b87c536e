import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The text of a file that stands beside this one. */
export function ownFile(name: string): string {
  return readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
}
