import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { BenchError, EXIT, usageError } from "../basics/errors.ts";
import { nearest } from "../basics/unknown-name.ts";
import { importUserModule } from "../sources/import-user-module.ts";
import { AMOUNT_OPTIONS } from "../record/ranges.ts";
import { type Config, configFault, originIn, type ReadConfig } from "./config.ts";
import { CONFIG_OPTIONS, keyOf } from "./option-table.ts";
import { requestsIn } from "./draft-requests.ts";
import { userItem } from "./read-draft.ts";
import { byName, isObject, listOfType, readAs, text, type Type, type, ValueFault } from "./types.ts";

const DOCS = "docs/configuration.md has every key";
const object = type("", "is no object", DOCS, (value) => isObject(value) ? value : undefined);
const textOrNumber = type(
  "",
  "is neither a text nor a number",
  DOCS,
  (value) => ["string", "number"].includes(typeof value) ? value : undefined,
);
const suite = type(
  "",
  "is neither a suite nor a file with one",
  DOCS,
  (value) => (typeof value === "string" && value !== "") || isObject(value) ? value : undefined,
);

const OF_OPTIONS = Object.fromEntries(CONFIG_OPTIONS.map(({ name, type }) => [keyOf(name), type]));
const at = byName(listOfType(textOrNumber), "is no object of axes with their values");
const OF_PRESET: Readonly<Record<string, Type>> = {
  ...Object.fromEntries(AMOUNT_OPTIONS.map(({ option }) => [keyOf(option), OF_OPTIONS[keyOf(option)]!])),
  at,
  title: text(""),
};

const TYPES: Readonly<Record<string, Type>> = {
  ...OF_OPTIONS,
  at,
  presets: byName(object, "is no object of presets"),
  modules: byName(byName(text(""), "is no object of modules"), "is no object of axes"),
  suites: {
    ...suite,
    read: (value) => Array.isArray(value) ? listOfType(suite).read(value) : new ValueFault("is no list of suites"),
  },
};

/**
 * Loads a config and checks it. Throws a usage error in one line that names file and key for one that does not load, exports
 * none, or has a wrong key or value.
 * @param path from the current folder
 */
export async function readConfig(path: string): Promise<ReadConfig> {
  const absolute = resolve(path);
  const file = relative(process.cwd(), absolute).replaceAll("\\", "/") || path;
  if (!existsSync(absolute)) throw usageError(`there is no config "${path}"`, "bench init writes one");
  const exported = await load(absolute, file);
  if (exported === undefined) {
    throw usageError(`${file}: has no default export`, "export default defineConfig({ … }): see docs/configuration.md");
  }
  if (typeof exported !== "object" || exported === null) {
    throw usageError(`${file}: is no config: give it an object`, DOCS);
  }
  check({ file }, exported, TYPES, []);
  for (const [name, one] of Object.entries((exported as Config).presets ?? {})) {
    if (!/^[a-z0-9][\w-]*$/i.test(name)) {
      throw configFault({ file }, ["presets", name], "is no name", "letters and digits");
    }
    check({ file }, one, OF_PRESET, ["presets", name]);
  }
  const { request } = exported as Config;
  if (request !== undefined) {
    requestsIn(userItem("request", request, originIn({ file }, "request"), dirname(absolute)) as never);
  }
  // As it was exported: suites keep their functions.
  return { config: exported as Config, file, folder: dirname(absolute) };
}

async function load(absolute: string, file: string): Promise<unknown> {
  try {
    return (await importUserModule(absolute))["default"];
  } catch (error) {
    const why = String((error as Error | undefined)?.message ?? error).trim().split("\n")[0];
    throw new BenchError(EXIT.usage, `${file} does not load: ${why}`, "mend it, or go without: --no-config", error);
  }
}

function check(
  read: Pick<ReadConfig, "file">,
  fields: object,
  types: Readonly<Record<string, Type>>,
  path: string[],
): void {
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const type = Object.hasOwn(types, key) ? types[key] : undefined;
    if (type !== undefined) readAs(type, value, originIn(read, ...path, key));
    else {
      const meant = nearest(key, Object.keys(types));
      throw configFault(
        read,
        [...path, key],
        "there is no such key",
        meant !== undefined ? `did you mean "${meant}"?` : `values of axes go into at: { ${key}: … }; ${DOCS}`,
      );
    }
  }
}
