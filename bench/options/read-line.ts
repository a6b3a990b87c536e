import { parseArgs } from "node:util";
import { usageError } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { type Command, type CommandName, COMMANDS } from "./commands.ts";
import { COMMON, isOfAxis, optionOf } from "./option-table.ts";
import { type Option, type OptionName, OPTIONS } from "./options.ts";

/** A command line in its parts, before anything is checked. */
export interface CommandLine {
  readonly words: readonly string[];
  /** Options in their order: true for a switch, "" for a missing value. */
  readonly given: readonly (readonly [name: string, value: string | true])[];
}

/** The command that a command line asks for, with its operands. */
export interface ParsedCommand extends Pick<CommandLine, "words"> {
  readonly command: CommandName | "help" | "version";
  readonly about?: CommandName;
  /** For `help`: the long form. */
  readonly whole?: true;
}

const commands: readonly (Command & { readonly name: CommandName })[] = COMMANDS;

/** A command by its name; undefined where there is none of that name. */
export const commandNamed = (word: string | undefined) => commands.find(({ name }) => name === word);

/** The command of a line: the form of its first word that an option chooses, else the command of that name. */
export const commandOfLine = ({ words: [word], given }: CommandLine) =>
  commands.find(({ name }) => given.some(([option]) => name === `${word} --${option}`)) ?? commandNamed(word);

/** The line without the word `help` at its start. */
export const lineAfterHelp = (line: CommandLine): CommandLine =>
  line.words[0] === "help" ? { ...line, words: line.words.slice(1) } : line;

const ROWS: readonly Option[] = OPTIONS;
const SHORT = new Map(ROWS.flatMap(({ name, short }) => short === undefined ? [] : [[short, name] as const]));
const WITH_VALUE: ReadonlySet<string> = new Set(ROWS.filter(({ type }) => type.shown !== "").map(({ name }) => name));
/** True if an option has a value: those of axes, which are of the suite and not known yet, all have one. */
const takesValue = (name: string) => WITH_VALUE.has(name) || (name.length > 1 && isOfAxis(name));

/** Parses a command line: an option is never the value of another one, but a negative number is. */
export function parseLine(argv: readonly string[]): CommandLine {
  const words: string[] = [];
  const given: (readonly [string, string | true])[] = [];
  // No option is declared: the parser would take an option for the value of the one before it.
  const { tokens } = parseArgs({ args: joinedNumbers(argv), strict: false, tokens: true });
  let waiting: string | undefined;
  for (const token of tokens) {
    if (token.kind === "positional" && waiting !== undefined) given.splice(-1, 1, [waiting, token.value]);
    else if (token.kind === "positional") words.push(token.value);
    waiting = undefined;
    if (token.kind !== "option") continue;
    const name = token.rawName.startsWith("--") ? token.name : SHORT.get(token.name) ?? token.name;
    given.push([name, token.value ?? (takesValue(name) ? "" : true)]);
    if (token.value === undefined && takesValue(name)) waiting = name;
  }
  return { words, given };
}

/** Arguments in which a negative number or an empty text is joined to the option before it: `--load -1` as `--load=-1`. */
function joinedNumbers(argv: readonly string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const isOption = (n: number) => n < end && argv[n]!.startsWith("--") && takesValue(argv[n]!.slice(2));
  const isJoined = (n: number) => n < end && n > 0 && isOption(n - 1) && /^(-\.?\d.*)?$/s.test(argv[n]!);
  return argv.flatMap((arg, n) => isJoined(n) ? [] : isJoined(n + 1) ? [`${arg}=${argv[n + 1]}`] : [arg]);
}

/**
 * Returns what a command line, taken apart, asks for, once its options stand in the table and have values where they
 * should. Throws a usage error in one line. It is not known yet if the suite has an axis for an option.
 * @param table the driver's options, and those of the axes of all candidate suites
 */
export function readLine(line: CommandLine, table: readonly Option[] = OPTIONS): ParsedCommand {
  const { words: [name, ...words], given } = line;
  const has = (option: OptionName) => given.some(([each]) => each === option);
  const commandOf = (line: CommandLine) => {
    const [word] = line.words;
    const found = commandOfLine(line);
    if (word === undefined || found !== undefined) return found;
    const known = commands.filter(({ name, unlisted }) => unlisted !== true && !name.includes(" "));
    throw unknownName("command", word, known.map(({ name }) => name));
  };
  const unknown = given.find(([option]) => !table.some((known) => known.name === option));
  if (unknown !== undefined) {
    // It may have taken the word of the command for its value.
    const command = commandOfLine(line) ?? commandNamed(String(unknown[1]));
    const taken = table.filter((row) =>
      command === undefined ? COMMON.includes(row) : optionOf(command, row.name, table)
    );
    const typed = `${unknown[0].length === 1 ? "-" : "--"}${unknown[0]}`;
    throw unknownName("option", typed, [...new Set(taken.map((each) => `--${each.name}`))]);
  }
  if (has("version")) return { command: "version", words };
  const isMore = name === "help" && words[0] === "more";
  const whole = isMore || has("help-all") ? { whole: true } as const : {};
  const command = name === "help" ? undefined : commandOf(line);
  if (command === undefined) {
    const about = isMore ? undefined : commandOf(lineAfterHelp(line))?.name;
    return { command: "help", ...present({ about }), ...whole, words: words.slice(1) };
  }
  if (has("help") || has("help-all")) return { command: "help", about: command.name, ...whole, words };
  const refused = (what: string, hint = `bench ${command.name} --help`) => usageError(what, hint);
  for (const [option, values] of Map.groupBy(given, ([each]) => each)) {
    const row = optionOf(command, option, table);
    if (row === undefined) {
      const takers = commands.filter((other) => optionOf(other, option, table)).map((other) => `"bench ${other.name}"`);
      throw refused(
        `"bench ${command.name}" takes no --${option}`,
        `${takers.join(", ")} ${takers.length === 1 ? "does" : "do"}`,
      );
    }
    const takesValue = row.type.shown !== "";
    if (takesValue && values.some(([, value]) => value === "")) throw refused(`--${option} needs a value`);
    if (takesValue && !row.repeat && values.length > 1) {
      throw refused(`--${option} is given ${values.length} times`, "give it once");
    }
    if (!takesValue && values.some(([, value]) => value !== true)) throw refused(`--${option} takes no value`);
  }
  const most = command.maxOperands ?? command.operands?.split(" ").length ?? 0;
  if (words.length > most) throw refused(`"bench ${command.name}" has no use for "${words[most]}"`);
  return { command: command.name, words };
}
