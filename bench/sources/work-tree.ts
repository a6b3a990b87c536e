import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failure, orElse, usageError } from "../basics/errors.ts";
import { gitIn } from "./git.ts";
import { shellQuoted } from "../basics/shell.ts";

/** A user's git repository, as it is. */
export interface WorkTree {
  /** Its uppermost folder, links resolved. */
  readonly root: string;
  readonly commit: string;
  /** True if it has changes since that commit. */
  readonly changed: boolean;
}

/** The time limit to write out a revision, in ms: a large repository or fetched files take time. */
export const CHECK_OUT_MS = 300_000;

const firstLine = (text: string) => text.trim().split("\n")[0] ?? "";

/** The repository a folder is in. Throws where there is none, or one without a commit. */
export async function workTreeOf(folder: string): Promise<WorkTree> {
  const git = (...args: string[]) => gitIn(folder, args, CHECK_OUT_MS);
  const top = await git("rev-parse", "--show-toplevel");
  if (top.code !== 0) {
    throw usageError(`"${folder}" is in no git repository: ${firstLine(top.stderr)}`, "go to the app's own repository");
  }
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD");
  if (head.code !== 0) throw usageError(`the repository of "${folder}" has no commit yet`, "git commit");
  // Without the option, status would write to the index.
  const status = await git("--no-optional-locks", "status", "--porcelain");
  return {
    root: realpathSync(top.stdout.replace(/\n$/, "")),
    commit: head.stdout.trim(),
    changed: status.code !== 0 || status.stdout !== "",
  };
}

/** Returns true if a commit has a file or folder, named from the repository's root with slashes. */
export async function commitHas({ root }: Pick<WorkTree, "root">, commit: string, path: string): Promise<boolean> {
  return path === "" || (await gitIn(root, ["cat-file", "-e", `${commit}:${path}`])).code === 0;
}

/**
 * Writes a commit's files into a new folder. Repository and work tree stay as they are: the folder has a separate index.
 * In contrast to an archive it has files that `.gitattributes` leaves out of archives, and the output of filters.
 */
export async function writeOutCommit(
  { root }: Pick<WorkTree, "root">,
  commit: string,
  folder: string,
  ref = commit.slice(0, 7),
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const index = join(folder, ".levelfield-index");
  const git = (...args: string[]) => gitIn(root, args, CHECK_OUT_MS, index);
  const read = await git("read-tree", commit);
  const written = read.code === 0 ? await git("checkout-index", "--all", `--prefix=${folder}/`) : read;
  rmSync(index, { force: true });
  if (written.code !== 0) {
    throw failure(
      `cannot check out "${ref}": ${firstLine(written.stderr)}`,
      "git fetch, in a clone of the repository that has this commit",
    );
  }
}

/** Paths that differ between a commit and the work tree, from the repository's root; new files are among them. */
export async function changedSince({ root }: Pick<WorkTree, "root">, commit: string): Promise<string[]> {
  const differing = await gitIn(root, ["diff", "--name-only", "--no-renames", "-z", commit, "--"], CHECK_OUT_MS);
  const fresh = await gitIn(root, ["ls-files", "--others", "--exclude-standard", "-z"], CHECK_OUT_MS);
  return [...new Set(`${differing.stdout}${fresh.stdout}`.split("\0").filter((path) => path !== ""))];
}

/** Returns the paths among some, from the repository's root, that git ignores. */
export async function ignoredOf({ root }: Pick<WorkTree, "root">, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const { code, stdout } = await gitIn(root, ["-c", "core.quotePath=false", "check-ignore", "--", ...paths]);
  // For a path inside a submodule git says nothing of any other.
  const isRefused = code !== 0 && code !== 1;
  if (isRefused && paths.length > 1) {
    return (await Promise.all(paths.map((path) => ignoredOf({ root }, [path])))).flat();
  }
  return stdout.split("\n").filter((path) => path !== "");
}

/**
 * Writes out the submodules of a commit, each at the commit that it names, from the clones in the work tree. One that the
 * work tree has not filled stays empty. Nothing is fetched.
 *
 * @throws BenchError that names a submodule whose commit is not in its clone, or that has no clone here
 */
export async function writeOutSubmodules(
  { root }: Pick<WorkTree, "root">,
  commit: string,
  folder: string,
): Promise<void> {
  if (!await commitHas({ root }, commit, ".gitmodules")) return;
  const listed = await gitIn(root, ["ls-tree", "-r", "-z", commit], CHECK_OUT_MS);
  if (listed.code !== 0) throw failure(`git cannot list the submodules of ${commit.slice(0, 7)}`, "git fsck");
  for (const [, wanted, path] of listed.stdout.matchAll(/(?<=^|\0)160000 commit ([0-9a-f]+)\t([^\0]+)/g)) {
    const own = join(root, path!);
    const at = `submodule "${path}" of ${commit.slice(0, 7)}`;
    if (!existsSync(join(own, ".git"))) {
      if (existsSync(own) && orElse(() => readdirSync(own), ["a file"]).length === 0) continue;
      throw failure(`${at} has no clone at its path in "${root}"`, "git submodule update --init, where HEAD has it");
    }
    if ((await gitIn(own, ["cat-file", "-e", `${wanted}^{commit}`])).code !== 0) {
      const fetched = `git -C ${shellQuoted(own)} fetch origin ${wanted}`;
      throw failure(`${at} is at ${wanted!.slice(0, 7)}, which its clone has not`, fetched);
    }
    await writeOutCommit({ root: own }, wanted!, join(folder, path!));
    await writeOutSubmodules({ root: own }, wanted!, join(folder, path!));
  }
}

/**
 * Returns the path at which a commit has a file or folder of the work tree that was moved since, as git's rename detection
 * sees it; null for any other. A folder was moved if files in it were. Of several such folders most files decide.
 */
export async function pathBefore(
  { root }: Pick<WorkTree, "root">,
  commit: string,
  path: string,
): Promise<string | null> {
  const listed = await gitIn(
    root,
    ["diff", "-M", "--diff-filter=R", "--name-status", "-z", commit, "--"],
    CHECK_OUT_MS,
  );
  const words = listed.stdout.split("\0").slice(0, -1);
  const moves = words.flatMap((_, n) => n % 3 === 0 ? [{ from: words[n + 1]!, to: words[n + 2]! }] : []);
  const file = moves.find(({ to }) => to === path);
  if (file !== undefined) return file.from;
  const folders = moves.flatMap(({ from, to }) => {
    const rest = to.slice(path.length);
    return to.startsWith(`${path}/`) && `/${from}`.endsWith(rest) ? [from.slice(0, -rest.length)] : [];
  });
  const counts = [...Map.groupBy(folders, (folder) => folder)].map(([folder, { length }]) => ({ folder, length }));
  return counts.toSorted((a, b) => b.length - a.length)[0]?.folder ?? null;
}
