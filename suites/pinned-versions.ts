import { readFileSync } from "node:fs";

/** Versions of packages as this project pins them, as facts of an app. */
export function versionsOf(packages: readonly string[]): Record<string, string> {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  const all: Record<string, string> = { ...devDependencies, ...dependencies };
  return Object.fromEntries(packages.map((name) => [name, all[name] ?? "unknown"]));
}
