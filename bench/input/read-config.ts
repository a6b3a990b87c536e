import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { z } from "zod";
import { BenchError, EXIT, usageError } from "../basics/errors.ts";
import { nearest } from "../basics/unknown-name.ts";
import { importOwn } from "../host/import-own.ts";
import type { Config } from "./config.ts";
import { CONFIG_KEYS, configSchema, presetSchema, requestSchema } from "./config-schema.ts";
import { keyLine } from "./key-lines.ts";

/** A config that was read and is sound, as far as can be seen without its suites. */
export interface ReadConfig {
  readonly config: Config;
  /** Path from the current folder. */
  readonly file: string;
  /** The folder its paths are from, absolute. */
  readonly folder: string;
  /** A usage error that names the file, the line and the key. */
  fault(path: readonly PropertyKey[], what: string, hint: string): BenchError;
}

/**
 * Loads a config and checks it. Throws a usage error in one line that names file, key and line for one that does not load,
 * exports none, or says what it may not.
 * @param path from the current folder
 */
export async function readConfig(path: string): Promise<ReadConfig> {
  const absolute = resolve(path);
  const file = relative(process.cwd(), absolute).replaceAll("\\", "/") || path;
  if (!existsSync(absolute)) throw usageError(`there is no config "${path}"`, "bench init writes one");
  const source = readFileSync(absolute, "utf8");
  const fault: ReadConfig["fault"] = (keys, what, hint) => {
    const line = keyLine(source, keys);
    const key = keys.length === 0 ? "" : ` "${keys.map(String).join(".")}"`;
    return usageError(`${file}${line === undefined ? "" : `, line ${line}`}:${key} ${what}`, hint);
  };
  const exported = await load(absolute, file);
  if (exported === undefined) {
    throw usageError(`${file}: has no default export`, "export default defineConfig({ … }): see docs/configuration.md");
  }
  const parsed = configSchema.safeParse(exported);
  if (!parsed.success) throw faultOf(parsed.error.issues[0]!, fault);
  // As it was exported: suites keep their functions, and nothing of what was checked has another form.
  return { config: exported as Config, file, folder: dirname(absolute), fault };
}

async function load(absolute: string, file: string): Promise<unknown> {
  try {
    return (await importOwn(absolute))["default"];
  } catch (error) {
    const why = String((error as Error | undefined)?.message ?? error).trim().split("\n")[0];
    throw new BenchError(EXIT.usage, `${file} does not load: ${why}`, "mend it, or go without: --no-config", error);
  }
}

type Issue = z.core.$ZodIssue;

function faultOf(issue: Issue, fault: ReadConfig["fault"]): BenchError {
  const told = deepest(issue);
  if (told.code === "unrecognized_keys") {
    const [key] = told.keys;
    const known = keysAt(told.path);
    const meant = nearest(key!, known);
    const root = told.path.length === 0;
    return fault(
      [...told.path, key!],
      "is no key of a config",
      meant !== undefined
        ? `did you mean "${meant}"?`
        : root
        ? `values of axes go into at: { ${
          /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key!) ? key : JSON.stringify(key)
        }: … }; docs/configuration.md has all keys`
        : `known are ${known.join(", ")}`,
    );
  }
  const said = /^Invalid |^Too /.test(told.message) ? `is wrong: ${plain(told.message)}` : told.message;
  return fault(told.path, said, "docs/configuration.md has every key");
}

const plain = (message: string) => message.replace(/^Invalid (input|option|string): /, "");

/** Of what fits no part of a union: what is wrong with the part that comes nearest, which is the one that got furthest. */
function deepest(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.flat().filter((one) => one.path.length > 0)
    .map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
  return inner.length === 0 ? issue : deepest(inner.toSorted((a, b) => b.path.length - a.path.length)[0]!);
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  if (path[0] === "presets") return Object.keys(presetSchema.shape);
  if (path[0] === "request") return Object.keys(requestSchema.shape);
  return CONFIG_KEYS;
}
