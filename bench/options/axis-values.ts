import { PROTOCOL_AXIS, RATE } from "../record/cell.ts";
import type { Axis, Suite, Value } from "../../suites/suite.ts";
import type { Args } from "./args.ts";
import { optionName } from "../plan/axis-options.ts";
import { usageError } from "../basics/errors.ts";
import { knownNames } from "../basics/unknown-name.ts";

/** Axes that a suite has only if their option is given. */
const EXTRA_AXES: readonly string[] = [PROTOCOL_AXIS, RATE];

/** Reads one value of an axis. Throws a usage error that names suite, axis and value. */
export function readValue(suite: Suite, axis: Axis, text: string): Value {
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

/** The values given for a suite's axes, by the axis's name. */
export function valuesFrom(args: Args, suite: Suite): Record<string, readonly Value[]> {
  const given = new Map(args.axes());
  return Object.fromEntries(suite.axes.flatMap((axis) => {
    const option = optionName(axis.name);
    const words = given.get(option) ??
      (EXTRA_AXES.includes(option) ? args.get(option as "rate") as string[] | undefined : undefined);
    return words === undefined ? [] : [[axis.name, readValues(suite, axis, words)]];
  }));
}

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
