import { shellQuoted } from "../basics/shell.ts";
import type { At, Value } from "../../suites/suite.ts";
import { orElse, usageError } from "../basics/errors.ts";
import { nearest } from "../basics/unknown-name.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { probeOf } from "../plan/points.ts";
import type { Args } from "./args.ts";
import { oneValueEach, readValue } from "./axis-values.ts";
import { axisNamed, chosenSuite, isNamed } from "./suites.ts";

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
    const named = name === undefined ? undefined : axisNamed(suite, name);
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
