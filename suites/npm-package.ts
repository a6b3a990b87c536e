import { existsSync, readFileSync } from "node:fs";

const ROOT = new URL("../", import.meta.url);

const read = (file: URL) => JSON.parse(readFileSync(file, "utf8"));

/** The package.json of an installed package under the name node_modules has it by: the nearest, as imports find it. */
function manifestOf(name: string): URL | undefined {
  for (let folder = ROOT;; folder = new URL("../", folder)) {
    const file = new URL(`node_modules/${name}/package.json`, folder);
    if (existsSync(file)) return file;
    if (folder.pathname === new URL("../", folder).pathname) return undefined;
  }
}

/** Facts of a package: its version; none where it is not installed. */
export function packageFacts(name: string | null): { readonly version?: string } {
  const file = name === null ? undefined : manifestOf(name);
  return file === undefined ? {} : { version: read(file).version };
}

/**
 * True, or why what needs these packages cannot be measured: Levelfield as npm has it leaves them out, and its package.json
 * says which versions it is tried with.
 */
export function areInstalled(...names: readonly string[]): true | string {
  const missing = names.filter((name) => manifestOf(name) === undefined);
  if (missing.length === 0) return true;
  const { triedWith = {} } = read(new URL("package.json", ROOT)) as { triedWith?: Readonly<Record<string, string>> };
  // A checkout installs all it needs before it measures.
  const wanted = missing.flatMap((name) => triedWith[name] === undefined ? [] : [`${name}@${triedWith[name]}`]);
  if (wanted.length === 0 && process.env["LEVELFIELD_ENVIRONMENT"] === "image") {
    return `${missing.join(", ")} is not in this image: build it with --build-arg SERVICES="postgresql redis-server"`;
  }
  return wanted.length === 0 ? true : `it is not installed: npm install levelfield ${wanted.join(" ")}`;
}
