import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** JSON as compilers read it: comments and commas before a closing bracket are left out. */
const plainJson = (text: string) =>
  text.replace(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? "")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? "");

/**
 * What a folder's tsconfig.json says of names of imports (`paths`: `@/*` is `./src/*`), as the entries of an import map; null
 * where it says nothing. Of several places the first counts; what a tsconfig.json extends is not looked at.
 */
export function importsByPaths(home: string): Record<string, string> | null {
  const file = join(home, "tsconfig.json");
  if (!existsSync(file)) return null;
  let options: { paths?: Record<string, string[]>; baseUrl?: string } | undefined;
  try {
    options = JSON.parse(plainJson(readFileSync(file, "utf8"))).compilerOptions;
  } catch {
    // Whoever reads it in earnest says what is wrong with it.
    return null;
  }
  const from = resolve(home, options?.baseUrl ?? ".");
  const entries = Object.entries(options?.paths ?? {}).flatMap(([name, [place]]): [string, string][] => {
    if (place === undefined || (name.endsWith("*") !== place.endsWith("*"))) return [];
    const folder = place.endsWith("*");
    const url = pathToFileURL(resolve(from, folder ? place.slice(0, -1) : place)).href;
    return [[folder ? name.slice(0, -1) : name, folder ? `${url.replace(/\/$/, "")}/` : url]];
  });
  // A bare `*` would be every name.
  const named = entries.filter(([name]) => name !== "");
  return named.length === 0 ? null : Object.fromEntries(named);
}
