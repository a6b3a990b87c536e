import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { orElse, usageError } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import type { Installation } from "./package-managers.ts";

/** Names of the packages in a folder's `node_modules`, scoped ones with their scope. */
const packagesOf = (folder: string): string[] =>
  orElse(() => readdirSync(folder), []).filter((name) => !name.startsWith(".")).flatMap((name) =>
    name.startsWith("@") ? orElse(() => readdirSync(join(folder, name)), []).map((inner) => join(name, inner)) : [name]
  );

/** What decides which file of a package is loaded, and where it lies; null for one of the repository itself. */
function loadedBy(root: string, path: string): string | null {
  const place = relative(realpathSync(root), orElse(() => realpathSync(path), path));
  if (place.startsWith("..")) return "elsewhere";
  if (!place.split(sep).includes("node_modules")) return null;
  const manifest = orElse(() => JSON.parse(readFileSync(join(path, "package.json"), "utf8")), {});
  const { name, version, type, main, module, exports } = manifest as Readonly<Record<string, unknown>>;
  return JSON.stringify(present({ name, version, type, main, module, exports }));
}

/**
 * Throws a usage error if a package of the work tree is another one than its lock file installs: linked from elsewhere, or
 * put there by hand. The base has what the lock file says, so that the difference would count as the code's.
 */
export function refuseOtherPackages(root: string, base: string, { folder, lock, line }: Installation): void {
  const [yours, installed] = [root, base].map((tree) => join(tree, folder, "node_modules")) as [string, string];
  const other = packagesOf(yours).find((name) => {
    if (!existsSync(join(installed, name))) return false;
    const [mine, theirs] = [loadedBy(root, join(yours, name)), loadedBy(base, join(installed, name))];
    return mine !== null && theirs !== null && mine !== theirs;
  });
  if (other === undefined) return;
  throw usageError(
    `"${join(folder, "node_modules", other)}" of yours is another package than ${lock} installs, which the base has`,
    line,
  );
}
