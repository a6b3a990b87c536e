import { PROTOCOL_AXIS, RATE } from "../record/cell.ts";
import type { At, Axis, Suite, Value } from "../../suites/suite.ts";
import type { Args } from "./args.ts";
import { optionName } from "../plan/plan-parts.ts";
import { orElse, usageError } from "../basics/errors.ts";
import { knownNames, nearest } from "../basics/unknown-name.ts";
import { shellQuoted } from "../basics/shell.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { probeOf } from "../plan/points.ts";
import { present } from "../basics/present.ts";
import { isOfAxis } from "./option-table.ts";
import { chosenSuite, isNamed } from "./suites.ts";

/** Axes that a suite has only if their option is given. */
const EXTRA_AXES: readonly string[] = [PROTOCOL_AXIS, RATE];

/** Reads one value of an axis. Throws a usage error that names suite, axis and value. */
function readValue(suite: Suite, axis: Axis, text: string): Value {
  const value = axis.parse(text) ?? axis.parse(text.trim());
  if (value !== undefined) return value;
  const known = [...axis.values, ...axis.others ?? []];
  // Numbers have more values than are listed, so the axis's help is the better hint.
  const hint = known.every((each) => typeof each === "string")
    ? knownNames(text, known.map((each) => axis.format(each)))
    : `--${optionName(axis.name)}: ${axis.help}, such as ${known.map((each) => axis.format(each)).join(", ")}`;
  throw usageError(`suite "${suite.name}": axis "${axis.name}" has no value "${text}"`, hint);
}

/**
 * Reads values that stood between commas. A value may hold commas itself: then the shortest readings that use up all words
 * are taken. Of an axis that binds runtimes a version by itself is of the runtime before it.
 */
export function readValues(suite: Suite, axis: Axis, words: readonly string[]): Value[] {
  if (axis.binds === undefined) {
    return shortestReadings(axis, words) ?? words.map((word) => readValue(suite, axis, word));
  }
  // `bun@1.2.10,1.2.19`: versions after one are of the same runtime.
  let name = "";
  return words.map((word) => {
    const full = name !== "" && /^v?\d/.test(word) ? `${name}@${word}` : word;
    name = /^\w+(?=@)/.exec(full)?.[0] ?? "";
    return readValue(suite, axis, full);
  });
}

function shortestReadings(axis: Axis, words: readonly string[]): Value[] | undefined {
  if (words.length === 0) return [];
  for (let taken = 1; taken <= words.length; taken++) {
    const text = words.slice(0, taken).join(",");
    const value = axis.parse(text) ?? axis.parse(text.trim());
    const rest = value === undefined ? undefined : shortestReadings(axis, words.slice(taken));
    if (rest !== undefined) return [value!, ...rest];
  }
  return undefined;
}

/** The values given for one axis of a suite; undefined without any. */
export function valuesGiven(args: Args, suite: Suite, axis: Axis): readonly Value[] | undefined {
  const option = optionName(axis.name);
  const words = isOfAxis(option) || EXTRA_AXES.includes(option) ? args.get(option as "rate") : undefined;
  return words && readValues(suite, axis, words);
}

/** The values given for a suite's axes, by the axis's name. */
export const valuesFrom = (args: Args, suite: Suite): Record<string, readonly Value[]> =>
  present(Object.fromEntries(suite.axes.map((axis) => [axis.name, valuesGiven(args, suite, axis)])));

/** The values given, at most one an axis. Throws a usage error where there are more. */
export function oneValueEach(args: Args, suite: Suite): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(valuesFrom(args, suite)).map(([name, values]) => {
      // Several values of a config are all measured; the first stands for them here.
      if (values.length > 1 && args.from(optionName(name)) !== "config") {
        const what = args.command === "serve" ? "serves one point" : "gives its options to both cells";
        throw usageError(`"bench ${args.command}" ${what}, --${optionName(name)} names ${values.length}`, "give one");
      }
      return [name, values[0]!];
    }),
  );
}

/**
 * Reads a cell such as `bun/map/10k`: parts with slashes between them, each `axis=value` or a value of the first axis
 * that knows it and has none yet. `%2F` inside a part is a slash. Throws a usage error that names suite, axis and value.
 * @returns values of the axes that were named
 */
export function cellFrom(loaded: LoadedSuite, text: string): Record<string, Value> {
  const { suite } = loaded;
  const at: Record<string, Value> = {};
  for (const part of text.split("/").map((one) => orElse(() => decodeURIComponent(one), one))) {
    const [, name, rest] = /^([^=]+)=(.*)$/s.exec(part) ?? [];
    const named = suite.axes.find((axis) => axis.name === name) ??
      suite.axes.find((axis) => optionName(axis.name) === name);
    const free = suite.axes.filter((axis) => !Object.hasOwn(at, axis.name));
    const axis = named ?? free.find((each) => each.parse(part) !== undefined);
    if (axis === undefined) throw unknownPart(loaded, text, part, free.map((each) => each.name));
    if (Object.hasOwn(at, axis.name)) {
      throw usageError(`suite "${suite.name}": "${text}" has two values of axis "${axis.name}"`, "name each axis once");
    }
    at[axis.name] = readValue(suite, axis, named === undefined ? part : rest!);
  }
  return at;
}

function unknownPart({ suite, module }: LoadedSuite, text: string, part: string, free: readonly string[]) {
  const values = suite.axes.flatMap((axis) =>
    [...axis.values, ...axis.others ?? []].map((value) => axis.format(value))
  );
  const meant = nearest(part, values);
  return usageError(
    `suite "${suite.name}": "${part}" of "${text}" is no value of ${free.join(", ") || "any axis left"}`,
    meant === undefined
      ? `bench list ${shellQuoted(module ?? suite.name)} has the values; a slash inside one is written %2F`
      : `did you mean "${meant}"?`,
  );
}

/** The cells that words name, with one value each of the options' axes; without words the suite's probe. */
export function cellsFrom(args: Args, loaded: LoadedSuite, words: readonly string[]): At[] {
  const shared = { ...probeOf(loaded.suite), ...oneValueEach(args, loaded.suite) };
  return words.length === 0 ? [shared] : words.map((word) => ({ ...shared, ...cellFrom(loaded, word) }));
}

/**
 * The suite of a command line whose other words are cells: it stands before them, or is left out.
 *
 * @param most cells that the command takes: with more words the first has to be a suite
 */
export function suiteAndCells(
  args: Args,
  suites: readonly LoadedSuite[],
  most: number,
): { readonly loaded: LoadedSuite; readonly words: readonly string[] } {
  const { words } = args;
  const named = words.length > most || suites.some((each) => isNamed(each, words[0]));
  return { loaded: chosenSuite(args, suites, named ? words[0]! : null), words: words.slice(named ? 1 : 0) };
}
