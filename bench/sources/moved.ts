import { gitIn } from "./git.ts";
import { CHECK_OUT_MS, type WorkTree } from "./work-tree.ts";

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
