import type { Suite, Value } from "../../suites/suite.ts";
import type { AmountOption } from "../record/ranges.ts";
import type { CamelCase, ConfigKeys } from "./options.ts";
import type { OneOrMore } from "./types.ts";
import { join, resolve } from "node:path";
import { faultAt, type InputError, type Origin } from "./origin.ts";
import { existsSync } from "node:fs";
import { fromHere } from "../files/near-files.ts";

/** Amounts of a measurement, in the words of the command line, and values of axes. */
export interface ConfigAmounts extends Pick<ConfigKeys, CamelCase<AmountOption>> {
  /** Values of axes by the axis's name: `{ runtime: ["bun"], connections: 100 }`. A suite takes those of its axes. */
  readonly at?: Readonly<Record<string, OneOrMore<Value>>>;
}

/** Amounts and values under a name: `--preset NAME`. */
export interface ConfigPreset extends ConfigAmounts {
  /** Shown in lists. */
  readonly title?: string;
  /** Requests in place of a duration, where the generator counts them. */
  readonly requests?: number;
}

/**
 * The keys of `levelfield.config.ts`: options of the command line by their long names in camelCase, in which several values
 * are a list, and suites, presets and modules of the user. Paths are from the config's folder.
 */
export interface Config extends ConfigKeys, ConfigAmounts {
  /** The user's suites, or files that export one: `bench run NAME`. */
  readonly suites?: readonly (Suite | string)[];
  /** The user's presets, for every suite that has the axes they name. */
  readonly presets?: Readonly<Record<string, ConfigPreset>>;
  /** The user's modules by axis and name: under that name they are values of the axis, as files are on the command line. */
  readonly modules?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * The default export of `levelfield.config.ts`, with its types: docs/configuration.md has all of it.
 *
 * ```ts
 * import { defineConfig } from "levelfield";
 *
 * export default defineConfig({
 *   app: { app: "./app.ts", plain: "./variant.ts" },
 *   request: ["GET /", { method: "POST", path: "/total", body: { ids: [1, 2, 3] } }],
 *   at: { runtime: ["node", "bun"] },
 *   presets: { night: { rounds: 20, duration: "10s" } },
 * });
 * ```
 *
 * @returns the config as it is; it is checked when a command reads it
 */
export function defineConfig(config: Config): Config {
  return config;
}

/**
 * A user's suite with its types, for `suites` of a config or as the default export of a file. It is of the
 * same type as those of the project: docs/adding-a-suite.md.
 *
 * ```ts
 * import { connectionsAxis, defineSuite, expectReply } from "levelfield";
 *
 * export const suite = defineSuite({
 *   name: "gateway",
 *   title: "the gateway that runs on port 8080",
 *   axes: [connectionsAxis(50)],
 *   server: () => ({ kind: "running", url: "http://127.0.0.1:8080" }),
 *   requests: ({ at }) => ({ pace: { closed: Number(at.connections) }, mix: [{ path: "/", expect: [200] }] }),
 *   oracle: () => ({
 *     alive: { name: "it answers", run: (target) => expectReply(target, { path: "/" }, { status: 200 }).then(() => 1) },
 *     checks: () => [],
 *   }),
 * });
 * ```
 *
 * @returns the suite as it is; it is checked when a command reads it
 */
export function defineSuite(suite: Suite): Suite {
  return suite;
}

/** A config that was read and is sound, as far as can be seen without its suites. */
export interface ReadConfig {
  readonly config: Config;
  readonly file: string;
  /** The folder its paths are from, absolute. */
  readonly folder: string;
}

/** The place of a value in a config. */
export const originIn = ({ file }: Pick<ReadConfig, "file">, ...path: readonly PropertyKey[]): Origin => ({
  from: "config",
  file,
  path,
});

/** Refuses the value of a key of a config. */
export const configFault = (
  read: Pick<ReadConfig, "file">,
  path: readonly PropertyKey[],
  what: string,
  hint: string,
): InputError => faultAt(originIn(read, ...path), what, hint);

/** A path of a config as it is from the current folder. */
export const fromHereIn = (folder: string, path: string): string => fromHere(resolve(folder, path));

/** The same as an option takes it: it is never mistaken for a name. */
export function asPath(folder: string, text: string): string {
  const path = fromHereIn(folder, text);
  return path.startsWith("/") || path.startsWith(".") ? path : `./${path}`;
}

/** Names a config is found under in the working folder; the first wins. */
export const CONFIG_FILES = ["levelfield.config.ts", "levelfield.config.js", "levelfield.config.mjs"] as const;

/** The file of a config in a folder; undefined where there is none. */
export function findConfig(folder: string): string | undefined {
  return CONFIG_FILES.map((name) => join(folder, name)).find((file) => existsSync(file));
}
