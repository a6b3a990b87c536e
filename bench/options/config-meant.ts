import { findConfig, type ReadConfig } from "./config.ts";
import { usageError } from "../basics/errors.ts";
import { optionName } from "../plan/plan-parts.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import type { Args } from "./args.ts";
import { CONFIG_OPTIONS, keyOf } from "./option-table.ts";
import { isByHandOnly, USER_OPTIONS } from "./user-options.ts";
import { type CommandLine, commandOfLine } from "./read-line.ts";

/**
 * The config a command line means: the one it names, else `levelfield.config.ts` of the current folder. A config is a
 * program, so the folder's is left alone where nothing is measured, and where a plan says what is: null there, and where
 * there is none or none is wanted. Throws a usage error in one line for one that is not right.
 */
export async function configOfLine(line: CommandLine): Promise<ReadConfig | null> {
  const { words: [command], given } = line;
  const options = new Map(given);
  const named = options.get("config");
  if (named !== undefined && options.has("no-config")) {
    throw usageError("--config and --no-config exclude each other", "give one of them");
  }
  // Help must work with a broken one, and init writes it.
  const needless = command === undefined || ["help", "init"].includes(command) ||
    ["help", "help-all", "version"].some((option) => options.has(option));
  if (needless || options.has("no-config")) return null;
  const again = options.has("plan") || options.has("resume");
  const byItself = commandOfLine(line)?.config === true && !again;
  const file = typeof named === "string" && named !== "" ? named : byItself ? findConfig(process.cwd()) : undefined;
  return file === undefined ? null : await (await import("./read-config.ts")).readConfig(file);
}

/**
 * Names the keys of a config that a measurement uses: `from levelfield.config.ts: app, rounds`. Undefined if there are none.
 * @param overruled options and axes that a profile, a preset or a flag changed
 */
export function configLine(
  { args, config }: { readonly args: Args; readonly config: ReadConfig | null },
  { suite, draft, named, module }: LoadedSuite,
  overruled: readonly string[] = [],
): string | undefined {
  if (config === null) return undefined;
  const ofConfig = (option: string) => args.from(option) === "config";
  const keys = [
    // A part of them may be changed by hand, which no line could show.
    ...(draft !== undefined && named
      ? USER_OPTIONS.filter((name) => !isByHandOnly(name) && config.config[name] !== undefined && !args.has(name))
      : []),
    ...(module !== null && named ? ["suites"] : []),
    ...CONFIG_OPTIONS.filter(({ name }) => ofConfig(name) && !overruled.includes(name)).map(({ name }) => keyOf(name)),
    ...suite.axes.map(({ name }) => name).filter((name) => ofConfig(optionName(name)) && !overruled.includes(name)),
  ];
  return keys.length === 0 ? undefined : `from ${config.file}: ${[...new Set(keys)].join(", ")}`;
}
