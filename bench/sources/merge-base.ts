import { usageError } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { findCommit, gitIn } from "./git.ts";
import type { WorkTree } from "./work-tree.ts";

type Repository = Pick<WorkTree, "root">;

/** The commit a revision is. Throws a usage error for one that is not there, with the command that fetches it. */
export async function commitOf({ root }: Repository, ref: string): Promise<string> {
  const commit = await findCommit(root, ref);
  if (commit !== undefined) return commit;
  throw usageError(`git knows no revision "${ref}" in "${root}"`, await fetchHint(root, ref, false));
}

/** The commit from which the work tree's changes began, and the revision that was named. */
interface MergeBase {
  readonly commit: string;
  readonly named: string;
}

/** The newest commit that HEAD and a revision share, or the revision. Throws without it, or if a clone lacks it. */
export async function mergeBaseOf(tree: Pick<WorkTree, "root" | "commit">, ref: string): Promise<MergeBase> {
  const { root, commit: head } = tree;
  const named = await commitOf(tree, ref);
  const found = await gitIn(root, ["merge-base", named, head]);
  if (found.code === 0) return { commit: found.stdout.trim().split("\n")[0]!, named };
  // A shallow clone hides the parents of its oldest commit, which the commit itself still names.
  const text = await gitIn(root, ["cat-file", "commit", head]);
  const isParent = text.stdout.split("\n\n")[0]!.split("\n").includes(`parent ${named}`);
  if (isParent || !await isShallow(root)) return { commit: named, named };
  throw usageError(
    `this shallow clone lacks the history between "${ref}" and HEAD, so their merge base is unknown`,
    await fetchHint(root, ref, true),
  );
}

const isShallow = async (root: string) =>
  (await gitIn(root, ["rev-parse", "--is-shallow-repository"])).stdout.trim() === "true";

/** Returns the command that brings a revision and the history between it and HEAD; a hint without a remote. */
async function fetchHint(root: string, ref: string, known: boolean): Promise<string> {
  const remotes = (await gitIn(root, ["remote"])).stdout.trim().split("\n");
  const remote = remotes.includes("origin") ? "origin" : remotes[0]!;
  const [, start, , steps] = /^([^~^]*)([~^](\d*).*)?$/s.exec(ref) ?? ["", ref, "", ""];
  const relative = start === "HEAD" || start === "@";
  const shallow = await isShallow(root);
  if (remote === "" || start === "" || (relative && !shallow)) {
    return "name a branch, a tag or a commit, such as HEAD~1";
  }
  // Without HEAD's own commit git deepens the named revision alone.
  const head = (await gitIn(root, ["rev-parse", "HEAD"])).stdout.trim();
  if (relative) return `git fetch --deepen=${Number(steps || 1)} ${remote} ${head}`;
  const wanted = wantedFrom(remote, start!, known);
  return ["git fetch", ...shallow ? ["--unshallow", remote, head] : [remote], ...wanted.map(shellQuoted)].join(" ");
}

/** The refspec that fetches a revision under its name; none for a short commit, which no server knows. */
function wantedFrom(remote: string, name: string, known: boolean): string[] {
  if (/^[0-9a-f]{7,40}$/.test(name)) return name.length === 40 ? [name] : [];
  if (!name.startsWith(`${remote}/`)) return [known ? name : `${name}:${name}`];
  const branch = name.slice(remote.length + 1);
  return [`+refs/heads/${branch}:refs/remotes/${remote}/${branch}`];
}
