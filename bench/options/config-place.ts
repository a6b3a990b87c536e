import { join, resolve } from "node:path";
import type { Config } from "./config.ts";
import { faultAt, type InputError, type Origin } from "./origin.ts";
import { existsSync } from "node:fs";
import { fromHere } from "../files/near-files.ts";

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
