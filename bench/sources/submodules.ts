import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { failure, orElse } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { gitIn } from "./git.ts";
import { CHECK_OUT_MS, commitHas, type WorkTree, writeOutCommit } from "./work-tree.ts";

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
