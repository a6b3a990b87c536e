import { usageError } from "../basics/errors.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { type Command, type CommandName, COMMANDS } from "./commands.ts";
import { COMMON_OPTIONS, type Option, type OptionName, OPTIONS } from "./options.ts";
import type { RawArgs } from "./parser.ts";

/** A command line that makes sense so far: known command, known options, values where they belong. */
export interface Args {
  readonly command: CommandName | "help" | "version";
  /** For `help`: the command it is about, if any. */
  readonly about: CommandName | undefined;
  /** Words after the command, or after the one help is about. */
  readonly words: readonly string[];
  has(option: OptionName): boolean;
  value(option: OptionName): string | undefined;
  /** Options of axes as they were given, by name. */
  readonly axes: ReadonlyMap<string, string>;
  /** Options, also those of axes, that a config gives and nobody gave by hand. */
  readonly fromConfig: ReadonlySet<string>;
}

const commands: readonly (Command & { readonly name: CommandName })[] = COMMANDS;
const ownNames: readonly string[] = OPTIONS.map(({ name }) => name);

/**
 * Whether a command takes an option.
 * @param table see {@link readArgs}
 */
export function takes(taker: Command, option: string, table: readonly Option[]): boolean {
  return ownNames.includes(option)
    ? [...taker.options, ...COMMON_OPTIONS].includes(option)
    : taker.axes === "runtime"
    ? table.find(({ name }) => name === option)?.binds === "runtime"
    : taker.axes !== null;
}

/** A command by its word; undefined where there is none of that name. */
export const commandNamed = (word: string | undefined): Command | undefined =>
  commands.find(({ name }) => name === word);

/**
 * Checks a parsed command line against the table of options. Throws a usage error in one line. Whether the suite that is
 * meant has an axis for an option is not known here.
 * @param table the driver's options, and those of the axes of every suite that may be meant
 */
export function readArgs(raw: RawArgs, table: readonly Option[] = OPTIONS): Args {
  const [name, ...words] = raw.words;
  const has = (option: OptionName) => raw.options.has(option);
  const given = (option: string) => raw.options.get(option)?.at(-1);
  const value = (option: OptionName) => {
    const text = given(option);
    return typeof text === "string" ? text : undefined;
  };
  const axes = new Map(
    [...raw.options.keys()].filter((option) => !ownNames.includes(option))
      .map((option) => [option, String(given(option))]),
  );
  const args = (named: Args["command"], about?: CommandName, after = words): Args => ({
    command: named,
    about,
    words: after,
    has,
    value,
    axes,
    fromConfig: new Set(),
  });
  const commandOf = (word: string | undefined) => {
    const found = commands.find((known) => known.name === word);
    if (word === undefined || found !== undefined) return found;
    throw unknownName("command", word, commands.map((known) => known.name));
  };

  const known = table.map((option) => option.name);
  const optionsAtHand = () => {
    const command = commands.find((one) => one.name === name);
    return known.filter((option) =>
      command === undefined ? COMMON_OPTIONS.includes(option) : takes(command, option, table)
    );
  };
  for (const option of raw.options.keys()) {
    if (known.includes(option)) continue;
    const typed = option.length === 1 ? `-${option}` : `--${option}`;
    throw unknownName("option", typed, optionsAtHand().map((each) => `--${each}`));
  }
  if (has("version")) return args("version");
  const command = name === "help" ? undefined : commandOf(name);
  if (command === undefined) return args("help", commandOf(words[0])?.name, words.slice(1));
  if (has("help")) return args("help", command.name);
  const refused = (what: string, hint = `bench ${command.name} --help`) => usageError(what, hint);
  for (const [option, values] of raw.options) {
    if (!takes(command, option, table)) {
      const takers = commands.filter((other) => takes(other, option, table)).map((other) => `"bench ${other.name}"`);
      throw refused(
        `"bench ${command.name}" takes no --${option}`,
        `${takers.join(", ")} ${takers.length === 1 ? "does" : "do"}`,
      );
    }
    const { value: placeholder, repeat = false } = table.find((candidate) => candidate.name === option)!;
    const takesValue = placeholder !== undefined;
    if (takesValue && values.some((text) => text === "" || text === true)) throw refused(`--${option} needs a value`);
    if (takesValue && !repeat && values.length > 1) {
      throw refused(`--${option} is given ${values.length} times`, "give it once");
    }
    if (!takesValue && values.some((text) => text !== true)) throw refused(`--${option} takes no value`);
  }
  const most = command.maxOperands ?? command.operands?.split(" ").length ?? 0;
  if (words.length > most) throw refused(`"bench ${command.name}" has no use for "${words[most]}"`);
  return args(command.name);
}
