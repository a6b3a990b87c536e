import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SCRIPTS } from "../files/near-files.ts";

/** Paths of existing files and folders inside a folder that a text names in full, relative to it. */
export function pathsWithin(root: string, text: string): string[] {
  return text.split(/[\s"'=,;:]+/).filter((word) => word === root || word.startsWith(`${root}/`))
    .map((word) => word.slice(root.length + 1).replace(/\/+$/, ""))
    .filter((path) => existsSync(join(root, path)));
}

/** Why a path of the work tree is not the same for two revisions that read it; null if it is, and of packages. */
export function whyNotShared(
  root: string,
  path: string,
  { changed, isIgnored }: { readonly changed: readonly string[]; readonly isIgnored: boolean },
): string | null {
  if (path.split("/").includes("node_modules")) return null;
  const differing = changed.find((one) => path === "" || one === path || one.startsWith(`${path}/`));
  if (differing !== undefined) return differing === path ? "has changed" : `has changed in ${differing}`;
  return isIgnored && holdsScripts(join(root, path)) ? "git ignores and a build may make" : null;
}

/** True for a program's file, and for a folder that has one. */
function holdsScripts(path: string): boolean {
  if (!statSync(path).isDirectory()) return SCRIPTS.test(path);
  return readdirSync(path, { recursive: true, encoding: "utf8" }).some((name) => SCRIPTS.test(name));
}
