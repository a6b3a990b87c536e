import { parseArgs as nodeParseArgs } from "node:util";
import type { Option } from "./options.ts";

/** Raw words and options, before anything is checked. An option given twice has two values. */
export interface RawArgs {
  readonly words: readonly string[];
  /** A switch has the value true; an option without its value has "". */
  readonly options: ReadonlyMap<string, readonly (string | true)[]>;
}

/** A parser of command lines. */
export interface ArgsParser {
  readonly name: "@std/cli" | "node:util";
  /** @param table every option there is, see {@link optionTable} */
  parse(args: readonly string[], table: readonly Option[]): RawArgs;
}

const valued = (table: readonly Option[]) => table.filter(({ value }) => value !== undefined).map(({ name }) => name);

/** @std/cli where its module can be found, else node:util. Any other failure of the import is thrown. */
export async function loadParser(): Promise<ArgsParser> {
  try {
    const { parseArgs } = await import("@std/cli/parse-args");
    return stdParser(parseArgs);
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return nodeParser;
  }
}

/**
 * Writes what the two parsers read differently so that both read it the same way: an option is never another one's
 * value, but a negative number is.
 */
function settled(args: readonly string[], withValue: readonly string[]): string[] {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  const settledArgs: string[] = [];
  for (let n = 0; n < options.length; n++) {
    const arg = options[n]!;
    const next = args[n + 1];
    const wantsValue = arg.startsWith("--") && withValue.includes(arg.slice(2));
    if (!wantsValue || next === undefined || !next.startsWith("-")) settledArgs.push(arg);
    else if (/^-\.?\d/.test(next)) settledArgs.push(`${arg}=${options[++n]}`);
    else settledArgs.push(`${arg}=`);
  }
  return end < 0 ? settledArgs : [...settledArgs, ...args.slice(end)];
}

/** Parses with @std/cli's function. */
export function stdParser(parseArgs: typeof import("@std/cli/parse-args").parseArgs): ArgsParser {
  return {
    name: "@std/cli",
    parse(args, table) {
      const withValue = valued(table);
      const switches = table.map(({ name }) => name).filter((name) => !withValue.includes(name));
      const shorts = table.filter((option) => option.short !== undefined);
      const line = settled(args, withValue);
      const { _: words, ...found } = parseArgs(line, {
        string: ["_", ...withValue],
        boolean: switches,
        collect: withValue,
        alias: Object.fromEntries(shorts.map((option) => [option.name, option.short!])),
      });
      const options = new Map<string, (string | true)[]>();
      for (const [name, value] of Object.entries(found)) {
        if (shorts.some((option) => option.short === name)) continue;
        const values = (Array.isArray(value) ? value : [value])
          .filter((item) => item !== false)
          .map((item) => item === true ? true as const : String(item));
        if (values.length > 0) options.set(name, values);
      }
      // A switch's value is lost in a boolean; it must be seen to be refused.
      for (const arg of line.slice(0, line.includes("--") ? line.indexOf("--") : line.length)) {
        const [, name, value] = /^--([^=]+)=(.*)$/s.exec(arg) ?? [];
        if (name !== undefined && switches.includes(name)) options.set(name, [value!]);
      }
      return { words: words.map(String), options };
    },
  };
}

/** A line as node:util takes it apart. */
function tokensOf(args: readonly string[], table: readonly Option[]) {
  return nodeParseArgs({
    args: settled(args, valued(table)),
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(table.map((option) => [option.name, {
      type: option.value === undefined ? "boolean" : "string",
      ...(option.short === undefined ? {} : { short: option.short }),
    }])),
  }).tokens;
}

/** Parses with node:util, which every runtime has. */
export const nodeParser: ArgsParser = {
  name: "node:util",
  parse(args, table) {
    const withValue = valued(table);
    const tokens = tokensOf(args, table);
    const words: string[] = [];
    const options = new Map<string, (string | true)[]>();
    for (const token of tokens) {
      if (token.kind === "positional") words.push(token.value);
      if (token.kind !== "option") continue;
      const takesValue = withValue.includes(token.name);
      const value = token.value ?? (takesValue ? "" : true);
      options.set(token.name, [...(options.get(token.name) ?? []), value]);
    }
    return { words, options };
  },
};

/** Options with their values in the order they were given, which {@link RawArgs} does not keep between different ones. */
export function givenInOrder(args: readonly string[], table: readonly Option[]): (readonly [string, string])[] {
  const withValue = valued(table);
  return tokensOf(args, table).flatMap((token) =>
    token.kind === "option" && withValue.includes(token.name) ? [[token.name, token.value ?? ""] as const] : []
  );
}
