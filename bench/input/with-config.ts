import type { Option } from "./options.ts";
import { type Args, commandNamed, takes } from "./read-args.ts";
import { optionName } from "../core/axis-options.ts";
import { knownNames } from "../basics/unknown-name.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { looksLikeFile } from "../host/looks-like-file.ts";
import { asPath, optionsOfConfig } from "./config-words.ts";
import type { ReadConfig } from "./read-config.ts";

/** Of a config, what also holds for a plan that is measured again: where things are. */
const PLACES = ["results", "data"];

/**
 * A command line with what a config says of options it does not give by hand, where its command takes them. Throws a usage
 * error that names file, line and key for an axis no suite has, and for a value that axis does not know.
 *
 * @param table see {@link takes}
 * @param suites those that may be meant
 */
export function withConfig(
  args: Args,
  read: ReadConfig | null,
  table: readonly Option[],
  suites: readonly LoadedSuite[],
): Args {
  const command = commandNamed(args.command);
  if (read === null || command === undefined) return args;
  const { config, folder } = read;
  const again = args.has("plan") || args.has("resume");
  const axes = new Map(args.axes);
  const fromConfig = new Set<string>();
  const modules = modulesOf(read, table);
  for (const [axis, values] of Object.entries(config.at ?? {})) {
    const option = optionName(axis);
    refuseUnknown(read, axis, suites);
    if (again || axes.has(option) || !takes(command, option, table)) continue;
    const words = [values].flat().map(String);
    axes.set(option, words.map((word) => looksLikeFile(word) ? asPath(folder)(word) : word).join(","));
    fromConfig.add(option);
  }
  for (const [option, text] of axes) {
    axes.set(option, text.split(",").map((word) => modules.get(option)?.get(word.trim()) ?? word).join(","));
  }
  const profileByHand = args.has("quick") || args.has("thorough");
  const options = new Map(
    [...optionsOfConfig(config, folder)].filter(([name]) =>
      takes(command, name, table) && !args.has(name as "json") && !(again && !PLACES.includes(name)) &&
      !(profileByHand && (name === "quick" || name === "thorough"))
    ),
  );
  for (const name of options.keys()) fromConfig.add(name);
  return {
    ...args,
    axes,
    fromConfig,
    has: (option) => args.has(option) || options.has(option),
    value(option) {
      const value = options.get(option);
      return args.value(option) ?? (typeof value === "string" ? value : undefined);
    },
  };
}

/** A config's modules by the option of their axis and their name, each as a word: `mine=./mine.ts`. */
function modulesOf({ config, folder, fault }: ReadConfig, table: readonly Option[]) {
  return new Map(
    Object.entries(config.modules ?? {}).map(([axis, named]) => {
      const option = optionName(axis);
      if (!table.some(({ name }) => name === option)) {
        throw fault(["modules", axis], "is an axis of no suite", "bench list");
      }
      return [option, new Map(Object.entries(named).map(([name, path]) => [name, `${name}=${asPath(folder)(path)}`]))];
    }),
  );
}

function refuseUnknown({ config, fault }: ReadConfig, name: string, suites: readonly LoadedSuite[]): void {
  const option = optionName(name);
  const axes = suites.flatMap(({ suite }) => suite.axes).filter((axis) => optionName(axis.name) === option);
  if (axes.length === 0) {
    const all = [...new Set(suites.flatMap(({ suite }) => suite.axes.map((axis) => axis.name)))];
    throw fault(["at", name], "is an axis of no suite", knownNames(name, all));
  }
  const own = config.modules?.[name] ?? {};
  for (const value of [config.at![name]!].flat()) {
    const text = String(value);
    const known = looksLikeFile(text) || Object.hasOwn(own, text) ||
      axes.some((axis) => axis.parse(text) !== undefined);
    if (known) continue;
    const listed = axes.flatMap((axis) => [...axis.values, ...axis.others ?? []].map((each) => axis.format(each)));
    throw fault(["at", name], `has no value "${text}"`, knownNames(text, [...new Set(listed)]));
  }
}
