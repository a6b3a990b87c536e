import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { orElse } from "../basics/errors.ts";

// The package get-tsconfig refuses a circle of configs, a missing one, and paths without "./": all paths would be lost.

/** JSON with comments and trailing commas. */
const plainJson = (text: string) =>
  text.replace(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? "")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? "");

interface TsConfig {
  readonly extends?: string | readonly string[];
  readonly compilerOptions?: {
    readonly paths?: Readonly<Record<string, readonly string[]>>;
    readonly baseUrl?: string;
  };
}

/** Names of imports, and the folder their places are from. */
interface Paths {
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  readonly pathsFrom?: string;
  readonly baseUrl?: string;
}

/** More configs than any project chains: a longer chain is a circle. */
const MOST_EXTENDED = 16;

/** The paths of a config and of the configs it extends; the nearer one wins. Unreadable files have none. */
function pathsOf(file: string, depth = 0): Paths {
  if (!existsSync(file) || depth > MOST_EXTENDED) return {};
  // If the config is no JSON, the runtime itself reports it.
  const config: TsConfig = orElse(() => JSON.parse(plainJson(readFileSync(file, "utf8"))), null) ?? {};
  const folder = dirname(file);
  const extended = [config.extends ?? []].flat().map((name) => pathsOf(extendedFile(name, folder), depth + 1));
  const { paths, baseUrl } = config.compilerOptions ?? {};
  return {
    ...Object.assign({}, ...extended),
    ...(baseUrl === undefined ? {} : { baseUrl: resolve(folder, baseUrl) }),
    ...(paths === undefined ? {} : { paths, pathsFrom: folder }),
  };
}

/** The file a config extends: a path from its folder, or one in a package that is installed there or above. */
function extendedFile(name: string, folder: string): string {
  const places = /^\.|^\//.test(name)
    ? [resolve(folder, name)]
    : foldersUp(folder).map((each) => join(each, "node_modules", name));
  const files = places.flatMap((place) => [place, `${place}.json`, join(place, "tsconfig.json")]);
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile()) ?? places[0]!;
}

/** A folder and all above it. */
export const foldersUp = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))];

/** The `paths` of the nearest tsconfig.json with those it extends, as an import map; the first place counts. */
export function importsByPaths(home: string): Record<string, string> | null {
  const file = foldersUp(home).map((folder) => join(folder, "tsconfig.json")).find((each) => existsSync(each));
  const { paths = {}, pathsFrom = home, baseUrl = pathsFrom } = file === undefined ? {} : pathsOf(file);
  const entries = Object.entries(paths).flatMap(([name, [place]]): [string, string][] => {
    if (place === undefined || (name.endsWith("*") !== place.endsWith("*"))) return [];
    const folder = place.endsWith("*");
    const url = pathToFileURL(resolve(baseUrl, folder ? place.slice(0, -1) : place)).href;
    return [[folder ? name.slice(0, -1) : name, folder ? `${url.replace(/\/$/, "")}/` : url]];
  });
  // A bare `*` would match every import.
  const named = entries.filter(([name]) => name !== "");
  return named.length === 0 ? null : Object.fromEntries(named);
}
