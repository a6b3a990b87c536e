import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { failure, usageError } from "../basics/errors.ts";
import { findProgram, runToEnd } from "../machine/programs.ts";
import { findCommit } from "./git.ts";
import { ownerTag } from "../machine/owner.ts";
import { INSTALLED, PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { writeOutCommit } from "./work-tree.ts";

/** Another revision of this project, checked out into a separate folder. */
export interface Revision {
  readonly ref: string;
  readonly commit: string;
  /** First seven digits of the commit: the label of its cells. */
  readonly label: string;
  readonly root: string;
}

/** The commit of a revision. Throws a usage error if git has none, and in a package, inside another repository. */
export async function findRevision(ref: string): Promise<Pick<Revision, "ref" | "commit" | "label">> {
  if (INSTALLED) {
    throw usageError(
      `revision "${ref}" of Levelfield cannot be measured from an installed package`,
      "run bin/bench in a checkout of it",
    );
  }
  const commit = await findCommit(PROJECT_ROOT, ref);
  if (commit === undefined) {
    throw usageError(`git knows no revision "${ref}" here`, "name a branch, a tag or a commit, such as HEAD~1");
  }
  return { ref, commit, label: commit.slice(0, 7) };
}

const INSTALL_MS = 600_000;

/**
 * Puts a revision's files into a new folder, once, and returns that folder. It gets this checkout's packages if its lock
 * file is the same, else packages of its lock file. The user's git work tree stays as it is.
 */
export async function checkOutRevision(
  revision: Pick<Revision, "ref" | "commit">,
  cacheDirectory: string,
): Promise<string> {
  const root = join(cacheDirectory, revision.commit.slice(0, 12));
  if (!existsSync(join(root, "node_modules"))) {
    const workshop = `${root}.part-${ownerTag()}`;
    rmSync(workshop, { recursive: true, force: true });
    mkdirSync(cacheDirectory, { recursive: true });
    mkdirSync(workshop, { mode: 0o755 });
    try {
      await writeOutCommit({ root: PROJECT_ROOT }, revision.commit, workshop, revision.ref);
      await putPackages(workshop, revision.ref);
      rmSync(root, { recursive: true, force: true });
      renameSync(workshop, root);
    } finally {
      rmSync(workshop, { recursive: true, force: true });
    }
  }
  return root;
}

async function putPackages(folder: string, ref: string): Promise<void> {
  const lock = (root: string) => readFileSync(join(root, "package-lock.json"), "utf8");
  if (lock(folder) === lock(PROJECT_ROOT)) {
    symlinkSync(join(PROJECT_ROOT, "node_modules"), join(folder, "node_modules"));
    return;
  }
  const npm = findProgram("npm");
  if (npm === undefined) {
    throw failure(`"${ref}" pins other packages, and npm is not installed`, "install Node with npm");
  }
  // Without a prefix npm reads settings of folders above.
  const words = ["ci", "--prefix", folder, "--no-audit", "--no-fund"];
  const installed = await runToEnd(npm, words, folder, INSTALL_MS);
  if (installed.code !== 0) {
    throw failure(
      `npm ci of "${ref}" failed: ${installed.stderr.trim().split("\n").at(-1)}`,
      `try it in a checkout of ${ref}`,
    );
  }
}
