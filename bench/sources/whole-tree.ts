import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { orElse, usageError } from "../basics/errors.ts";
import { firstFew } from "../basics/visible.ts";
import { shellQuoted } from "../basics/shell.ts";
import { gitIn } from "./git.ts";
import { CHECK_OUT_MS, ignoredOf, type WorkTree } from "./work-tree.ts";
import { SCRIPTS } from "../files/near-files.ts";

const named = (paths: readonly string[]) => firstFew(paths.map((path) => `"${path}"`), 3);

/** Throws for a work tree that a sparse checkout leaves incomplete: a revision would have files that yours lacks. */
export async function refuseSparse({ root }: Pick<WorkTree, "root">): Promise<void> {
  if ((await gitIn(root, ["config", "--bool", "core.sparseCheckout"])).stdout.trim() !== "true") return;
  const listed = await gitIn(root, ["ls-files", "-t", "-z"], CHECK_OUT_MS);
  const lacking = listed.stdout.split("\0").filter((line) => line.startsWith("S ")).map((line) => line.slice(2));
  if (lacking.length === 0) return;
  throw usageError(
    `the work tree is a sparse checkout without ${named(lacking)}`,
    `git -C ${shellQuoted(root)} sparse-checkout disable`,
  );
}

/** The first line of a pointer, by Git LFS's specification; pointers are shorter than 1024 bytes. */
const POINTER = "version https://git-lfs.github.com/spec/v1";

const isPointer = (file: string) =>
  orElse(() => statSync(file).size < 1024 ? readFileSync(file, "utf8") : "", "").startsWith(`${POINTER}\n`);

/**
 * Throws for a folder with the files of a commit, in which Git LFS's pointers stand for contents: neither revision would
 * then read what it reads elsewhere. Files that are no part of LFS by their attributes may look like pointers.
 *
 * @param whose the folder in words: `"main"`, or `the work tree`
 */
export async function refusePointers(
  { root }: Pick<WorkTree, "root">,
  commit: string,
  folder: string,
  whose: string,
): Promise<void> {
  const found = await gitIn(
    root,
    ["grep", "-l", "-z", "--full-name", "-e", `^${POINTER}$`, commit, "--"],
    CHECK_OUT_MS,
  );
  const paths = found.stdout.split("\0").filter((path) => path !== "").map((path) => path.slice(commit.length + 1))
    .filter((path) => isPointer(join(folder, path)));
  if (paths.length === 0) return;
  const attributes = await gitIn(root, [`--work-tree=${folder}`, "check-attr", "-z", "filter", "--", ...paths]);
  const words = attributes.stdout.split("\0");
  const pointers = paths.filter((path) => words.some((word, n) => word === path && words[n + 2] === "lfs"));
  if (pointers.length === 0) return;
  throw usageError(
    `${whose} has Git LFS pointers in place of ${named(pointers)}`,
    "git lfs install --local && git lfs pull",
  );
}

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

/** Throws for words and variables of a server by which its revisions would read files of the work tree. */
export async function refuseShared(
  words: readonly string[],
  tree: WorkTree,
  { changed, env }: { readonly changed: readonly string[]; readonly env: readonly string[] },
): Promise<void> {
  const { root } = tree;
  const fixed = words.find((word) => word.includes(`${root}/`));
  if (fixed !== undefined) {
    throw usageError(`"${fixed}" names the work tree itself: its revisions would run your code`, "say it from here");
  }
  for (const name of env) {
    for (const path of pathsWithin(root, process.env[name] ?? "")) {
      const isIgnored = (await ignoredOf(tree, [path])).length > 0;
      const why = whyNotShared(root, path, { changed, isIgnored });
      if (why === null) continue;
      throw usageError(
        `--env ${name} names "${path}" of the work tree, which ${why}: the base would read yours`,
        `set ${name} to a path from the app's folder, or to a copy of "${path}" outside the repository`,
      );
    }
  }
}
