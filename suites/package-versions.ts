import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);

/** Versions of packages as they are installed where suites look for them, as facts of an app. */
export function versionsOf(packages: readonly string[]): Record<string, string> {
  return Object.fromEntries(packages.map((name) => {
    const file = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name, "package.json")).find(
      existsSync,
    );
    return [name, file === undefined ? "unknown" : JSON.parse(readFileSync(file, "utf8")).version];
  }));
}
