import { distance } from "fastest-levenshtein";
import { type BenchError, usageError } from "../core/errors.ts";
import { type Command, type CommandName, COMMANDS, COMMON_OPTIONS, type OptionName, OPTIONS } from "./options.ts";
import type { RawArgs } from "./parser.ts";

/** A command line that makes sense so far: known command, known options, values where they belong. */
export interface Args {
  readonly command: CommandName | "help" | "version";
  /** For `help`: the command it is about, if any. */
  readonly about: CommandName | undefined;
  readonly words: readonly string[];
  has(option: OptionName): boolean;
  value(option: OptionName): string | undefined;
}

/** The candidate nearest to what was typed, if it is near enough to be meant. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((name) => ({ name, far: distance(typed.toLowerCase(), name) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** The error for an unknown name, with the nearest known one or all of them. */
export function unknownName(what: string, typed: string, known: readonly string[]): BenchError {
  const meant = nearest(typed, known);
  return usageError(
    `unknown ${what} "${typed}"`,
    meant === undefined ? `known are ${known.join(", ")}` : `did you mean "${meant}"?`,
  );
}

/** Checks a parsed command line against the option table. Throws a usage error in one line. */
export function readArgs(raw: RawArgs): Args {
  const [name, ...words] = raw.words;
  const commands: readonly Command[] = COMMANDS;
  const command = commands.find((known) => known.name === name);
  const has = (option: OptionName) => raw.options.has(option);
  const value = (option: OptionName) => {
    const given = raw.options.get(option)?.at(-1);
    return typeof given === "string" ? given : undefined;
  };
  const args = (named: Args["command"], about?: CommandName): Args => ({ command: named, about, words, has, value });

  const known: readonly string[] = OPTIONS.map((option) => option.name);
  for (const given of raw.options.keys()) {
    if (!known.includes(given)) throw unknownName("option", `--${given}`, known.map((option) => `--${option}`));
  }
  if (has("version")) return args("version");
  if (name === undefined || name === "help") {
    const about = commands.find((candidate) => candidate.name === words[0]);
    if (words[0] !== undefined && about === undefined) throw unknownName("command", words[0], commandNames());
    return args("help", about?.name as CommandName | undefined);
  }
  if (command === undefined) throw unknownName("command", name, commandNames());
  if (has("help")) return args("help", command.name as CommandName);
  for (const [option, values] of raw.options) {
    if (![...command.options, ...COMMON_OPTIONS].includes(option)) {
      const takers = commands.filter((other) => other.options.includes(option)).map((other) => `"bench ${other.name}"`);
      throw usageError(`"bench ${command.name}" takes no --${option}`, `${takers.join(", ")} does`);
    }
    const takesValue = "value" in OPTIONS.find((candidate) => candidate.name === option)!;
    if (takesValue && values.some((given) => given === "" || given === true)) {
      throw usageError(`--${option} needs a value`, `bench ${command.name} --help`);
    }
    if (takesValue && values.length > 1) {
      throw usageError(`--${option} is given ${values.length} times`, "give it once");
    }
    if (!takesValue && values.some((given) => given !== true)) {
      throw usageError(`--${option} takes no value`, `bench ${command.name} --help`);
    }
  }
  if (words.length > command.maxOperands) {
    throw usageError(
      `"bench ${command.name}" has no use for "${words[command.maxOperands]}"`,
      `bench ${command.name} --help`,
    );
  }
  return args(command.name as CommandName);
}

function commandNames(): string[] {
  return COMMANDS.map((command) => command.name);
}
