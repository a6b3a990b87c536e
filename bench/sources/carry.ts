import { cpSync, existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { orElse, usageError } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { firstFew } from "../basics/visible.ts";
import { gitIn } from "./git.ts";
import { ignoredOf, type WorkTree } from "./work-tree.ts";

/** Settings that projects keep out of git, and that many apps and builds do without in silence. */
const SETTINGS = /^(\.env(\.[\w.-]+)?|\.npmrc)$/;

const FROM_GIT = "leave it out: the base has its own";

/**
 * Copies files and folders that git does not keep from a work tree into a written revision. Returns their paths from the
 * root.
 *
 * @param paths from the current folder
 * @throws BenchError for a path that is not there, lies outside the repository, or holds files that git keeps
 */
export async function carry(
  { root }: Pick<WorkTree, "root">,
  folder: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const carried: string[] = [];
  for (const path of paths) {
    const from = resolve(path);
    if (!existsSync(from)) throw usageError(`--carry "${path}": there is no such file`, "give its path from here");
    const inside = relative(root, join(realpathSync(dirname(from)), basename(from)));
    if (inside === "" || inside.startsWith("..")) {
      throw usageError(`--carry "${path}" is no part of the repository`, "leave it out: both can read it where it is");
    }
    const kept = await gitIn(root, ["--literal-pathspecs", "ls-files", "-z", "--", inside]);
    const [first] = kept.stdout.split("\0");
    if (kept.code !== 0 || first !== "") {
      throw usageError(`--carry "${path}": git keeps "${first || inside}"`, FROM_GIT);
    }
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    cpSync(realpathSync(from), join(folder, inside), options);
    carried.push(inside);
  }
  return carried;
}

/**
 * Throws for settings that git ignores and a written revision has not: an app or a build would go on without them.
 *
 * @param folders those of the app, from the root
 */
export async function refuseLackingSettings(
  tree: Pick<WorkTree, "root">,
  folder: string,
  folders: readonly string[],
): Promise<void> {
  const paths = folders.flatMap((one) =>
    orElse(() => readdirSync(join(tree.root, one)), []).filter((name) => SETTINGS.test(name))
      .map((name) => join(one, name))
  );
  const lacking = await ignoredOf(tree, paths.filter((path) => !existsSync(join(folder, path))));
  if (lacking.length === 0) return;
  const here = realpathSync(process.cwd());
  throw usageError(
    `git ignores ${lacking.map((path) => `"${path}"`).join(", ")}, which a build or a start may read`,
    lacking.map((path) => `--carry ${shellQuoted(relative(here, join(tree.root, path)))}`).join(" "),
  );
}

/** Scripts, as git names them. */
const OF_SCRIPTS = ["js", "ts", "mjs", "cjs", "mts", "cts", "jsx", "tsx"].map((end) => `*.${end}`);

/**
 * Returns a line that names what git ignores and a written revision has not, packages aside; null without any.
 *
 * @throws BenchError for such a file that a script of the work tree names: the revision would do without it in silence
 */
export async function lackingText({ root }: Pick<WorkTree, "root">, folder: string): Promise<string | null> {
  const listed = await gitIn(root, ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]);
  const lacking = listed.stdout.split("\0").filter((path) =>
    path !== "" && !path.split("/").includes("node_modules") && !`${folder}/`.startsWith(join(root, path)) &&
    !/^levelfield-/.test(path) && !existsSync(join(folder, path))
  );
  if (lacking.length === 0) return null;
  for (const path of lacking.filter((one) => /[^/]\.\w+$/.test(one))) {
    const found = await gitIn(root, ["grep", "-l", "-w", "-F", "-e", basename(path), "--", ...OF_SCRIPTS]);
    const [script] = found.stdout.split("\n");
    if (found.code !== 0 || script === "") continue;
    throw usageError(
      `git ignores "${path}", which only yours has and "${script}" names`,
      `--carry ${shellQuoted(relative(realpathSync(process.cwd()), join(root, path)))}, or --install builds it`,
    );
  }
  return `Only yours has ${firstFew(lacking, 5)}, which git ignores: --install builds it, --carry copies data`;
}
