import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Stage, Wish } from "./stage.ts";

/** Has a bench run by Node load this program before its entry; servers and generators do not get it. */
export function withPreload(stage: Stage, program: string): Wish {
  const file = join(stage.folder, "preloaded.mjs");
  writeFileSync(file, program);
  return { env: { LEVELFIELD_DRIVER: "node", NODE_OPTIONS: `--import=${pathToFileURL(file).href}` } };
}
