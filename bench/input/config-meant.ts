import { OPTIONS } from "./options.ts";
import { nodeParser } from "./parser.ts";
import { findConfig } from "./find-config.ts";
import type { ReadConfig } from "./read-config.ts";
import { usageError } from "../basics/errors.ts";

/** Words that need no config: help must be there where one is broken, and `init` writes it. */
const WITHOUT = ["help", "init"];

/**
 * The config a command line means: the one it names, else `levelfield.config.ts` of the current folder; null where there is
 * none or none is wanted. Throws a usage error in one line for one that is not right.
 */
export async function configMeant(argv: readonly string[]): Promise<ReadConfig | null> {
  const { words, options } = nodeParser.parse(argv, OPTIONS);
  const named = options.get("config")?.at(-1);
  if (named !== undefined && options.has("no-config")) {
    throw usageError("--config and --no-config exclude each other", "give one of them");
  }
  const [command] = words;
  const needless = command === undefined || WITHOUT.includes(command) || options.has("help") || options.has("version");
  if (needless || options.has("no-config")) return null;
  const file = typeof named === "string" && named !== "" ? named : findConfig(process.cwd());
  return file === undefined ? null : await (await import("./read-config.ts")).readConfig(file);
}
