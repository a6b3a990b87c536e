import { optionName } from "../plan/plan-parts.ts";
import { knownNames } from "../basics/unknown-name.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { looksLikeFile } from "../files/plain-file.ts";
import { isOfAxis, keyOf, optionOf, optionsOfCommand } from "./option-table.ts";
import type { Option, OptionName, OptionValue } from "./options.ts";
import { isUserOption } from "./user-options.ts";
import { asPath, configFault, fromHereIn, originIn, type ReadConfig } from "./config.ts";
import { type CommandLine, commandNamed, type ParsedCommand, readLine } from "./read-line.ts";
import { readAs } from "./types.ts";

/** The place that gave an option its value. */
export type Source = "flag" | "config";

/** The options of a command, given by hand or else by a config, each value read as its type. */
export interface Args extends ParsedCommand, Pick<CommandLine, "given"> {
  has(option: OptionName): boolean;
  get<N extends OptionName>(option: N): OptionValue<N>;
  /** The source of an option, also of one of an axis; undefined if it was not given. */
  from(option: string): Source | undefined;
  /** Values of axes as they were written, by the axis's option; those of `from` alone if it is given. */
  axes(from?: Source): (readonly [option: string, words: readonly string[]])[];
  /** The same with other words for some options of axes. */
  withWords(words: ReadonlyMap<string, readonly string[]>): Args;
}

const PROFILES = ["quick", "thorough"];

interface Said {
  readonly value: unknown;
  readonly from: Source;
}

/**
 * The arguments of a command: options that were given by hand, and the keys of a config for the others that it takes.
 * Throws an error that names the place of a value that its type or its axis refuses, and of an axis that no suite has, and
 * a usage error of {@link readLine}.
 *
 * @param suites the candidates: their axes and values are known
 */
export function argsOf(
  line: CommandLine,
  config: ReadConfig | null,
  table: readonly Option[],
  suites: readonly LoadedSuite[],
): Args {
  const meant = readLine(line, table);
  const command = commandNamed(meant.command);
  const values = new Map<string, Said>();
  for (const [name, word] of command === undefined ? [] : line.given) {
    if (isOfAxis(name)) values.set(name, { value: String(word).split(","), from: "flag" });
    else {
      const { type } = optionOf(command!, name)!;
      const given = type.fromWord?.(String(word)) ?? word;
      const value = readAs(type, given, { from: "flag", option: name }, String(word));
      const before = Array.isArray(value) ? values.get(name)?.value as readonly unknown[] | undefined : undefined;
      values.set(name, { value: before === undefined ? value : [...before, ...value as unknown[]], from: "flag" });
    }
  }
  if (config !== null && command !== undefined) {
    const again = values.has("plan") || values.has("resume");
    refuseUnknown(config, suites, table);
    for (const [axis, said] of again ? [] : Object.entries(config.config.at ?? {})) {
      const option = optionName(axis);
      if (values.has(option) || optionOf(command, option, table) === undefined) continue;
      const words = [said].flat().map((value) =>
        looksLikeFile(String(value)) ? asPath(config.folder, String(value)) : String(value)
      );
      values.set(option, { value: words, from: "config" });
    }
    const profileByHand = PROFILES.some((name) => values.has(name));
    for (const { name, type, key, again: holdsAgain } of optionsOfCommand(command)) {
      const said = config.config[keyOf(name) as "results"];
      if (!key || isUserOption(name) || said === undefined || (said as unknown) === false) continue;
      if (values.has(name) || (again && holdsAgain !== "any") || (profileByHand && PROFILES.includes(name))) continue;
      const value = readAs(type, said, originIn(config, keyOf(name)));
      const isPath = holdsAgain === "any" || name === "carry";
      const here = (path: string) => fromHereIn(config.folder, path);
      const paths = () => Array.isArray(value) ? value.map(here) : here(said);
      values.set(name, { value: isPath ? paths() : value, from: "config" });
    }
  }
  return argsOver({ ...meant, given: line.given }, values);
}

function argsOver(meant: ParsedCommand & Pick<CommandLine, "given">, values: ReadonlyMap<string, Said>): Args {
  const command = commandNamed(meant.command);
  return {
    ...meant,
    has: (option) => values.has(option),
    get: <N extends OptionName>(option: N) => {
      const said = values.get(option);
      return (said === undefined ? defaultOf(command && optionOf(command, option)) : said.value) as OptionValue<N>;
    },
    from: (option) => values.get(option)?.from,
    axes: (source) =>
      [...values].flatMap(([name, { value, from }]) =>
        isOfAxis(name) && (source ?? from) === from ? [[name, value as readonly string[]]] : []
      ),
    withWords: (words) =>
      argsOver(
        meant,
        new Map([...values].map(([name, said]) => [name, { ...said, value: words.get(name) ?? said.value }])),
      ),
  };
}

function defaultOf(row: Option | undefined): unknown {
  if (row?.isDefault === undefined) return undefined;
  const { type, name, otherwise } = row;
  return readAs(type, type.fromWord?.(otherwise!) ?? otherwise, { from: "flag", option: name });
}

function refuseUnknown(read: ReadConfig, suites: readonly LoadedSuite[], table: readonly Option[]): void {
  const { at = {}, modules = {} } = read.config;
  for (const name of Object.keys(modules)) {
    if (!table.some((row) => row.name === optionName(name))) {
      throw configFault(read, ["modules", name], "is an axis of no suite", "bench list");
    }
  }
  const all = suites.flatMap(({ suite }) => suite.axes);
  for (const [name, said] of Object.entries(at)) {
    const axes = all.filter((axis) => optionName(axis.name) === optionName(name));
    if (axes.length === 0) {
      const hint = knownNames(name, [...new Set(all.map((axis) => axis.name))]);
      throw configFault(read, ["at", name], "is an axis of no suite", hint);
    }
    for (const text of [said].flat().map(String)) {
      const known = Object.hasOwn(modules[name] ?? {}, text);
      if (known || looksLikeFile(text) || axes.some((axis) => axis.parse(text) !== undefined)) continue;
      const listed = axes.flatMap((axis) => [...axis.values, ...axis.others ?? []].map((each) => axis.format(each)));
      throw configFault(read, ["at", name], `has no value "${text}"`, knownNames(text, [...new Set(listed)]));
    }
  }
}
