import { shellQuoted } from "../basics/shell.ts";
import type { Value } from "../../suites/suite.ts";
import { orElse, usageError } from "../basics/errors.ts";
import { nearest } from "../basics/unknown-name.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { readValue } from "./axis-values.ts";
import { axisNamed } from "./suites.ts";

/**
 * Reads a cell such as `bun/map/10k`: parts with slashes between them, each `axis=value` or a value of the first axis
 * that knows it and has none yet. `%2F` inside a part is a slash. Throws a usage error that names suite, axis and value.
 * @returns values of the axes that were named
 */
export function cellFrom(loaded: LoadedSuite, text: string): Record<string, Value> {
  const { suite } = loaded;
  const at: Record<string, Value> = {};
  for (const part of text.split("/").map(decoded)) {
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

function decoded(part: string): string {
  return orElse(() => decodeURIComponent(part), part);
}
