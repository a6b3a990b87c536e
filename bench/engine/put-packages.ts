import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { failure, usageError } from "../basics/errors.ts";
import { runToEnd } from "../machine/programs.ts";
import { lendPackages, packagesDiffer, upwards } from "../sources/lend-packages.ts";
import { packageMaker } from "../sources/package-makers.ts";
import type { WorkTree } from "../sources/work-tree.ts";

/** The longest time for installing and building a base, in ms. */
const INSTALL_MS = 1_200_000;

/** Where revisions are written out, how their packages are installed, and who hears of it. */
export interface Workshop {
  /** A scratch folder of the caller. */
  readonly folder: string;
  /** A command line for packages; lent from the work tree without one. */
  readonly install: string | undefined;
  /** Names of the variables that its servers see. */
  readonly env: readonly string[];
  readonly doing: (text: string) => void;
}

/** Where both revisions lie, and how they differ. */
export interface Trees {
  readonly root: string;
  readonly folder: string;
  /** Paths that differ between the two, from the root. */
  readonly changed: readonly string[];
  /** Folders from the app's up to the root; null if packages were not lent. */
  readonly lentTo: readonly string[] | null;
}

/**
 * Lends or installs packages. Returns the folders from the app's upwards if they were lent, else null.
 *
 * @throws BenchError if both want different packages and nobody said how to install them, or installing fails
 */
export async function putPackages(
  { tree: { root }, home, ref, changed }: { tree: WorkTree; home: string; ref: string; changed: readonly string[] },
  { folder, install: line, doing }: Workshop,
): Promise<readonly string[] | null> {
  if (line === undefined) {
    const differing = packagesDiffer(root, folder, home);
    if (differing !== null) {
      throw usageError(`revision "${ref}" wants other packages: ${differing} differs`, "--install 'npm ci'");
    }
    if (!lendPackages(root, folder)) return null;
    const folders = upwards(root, home);
    refuseMade({ root, folder, changed, lentTo: folders });
    return folders;
  }
  const here = relative(root, realpathSync(process.cwd()));
  const at = here.startsWith("..") ? folder : join(folder, here);
  doing(`installing ${ref}: ${line}`);
  // Files outside git that the base needs, such as a small database, can be copied from the work tree.
  const variable = `LEVELFIELD_WORK_TREE=${root}`;
  const done = await runToEnd("env", [variable, "sh", "-c", line], existsSync(at) ? at : folder, INSTALL_MS);
  if (done.code !== 0) {
    const last = `${done.stdout}\n${done.stderr}`.trim().split("\n").at(-1);
    throw failure(`--install "${line}" failed in revision "${ref}": ${last}`, `try it in a checkout of ${ref}`);
  }
  return null;
}

/**
 * Throws if packages that both revisions share may be made from a file that differs.
 *
 * @param opened changed paths that a server opens itself; unknown by default
 */
export function refuseMade({ root, folder, changed, lentTo }: Trees, opened?: ReadonlySet<string>): void {
  if (lentTo === null) return;
  const maker = packageMaker({ root, other: folder, changed, ...(opened === undefined ? {} : { opened }) }, lentTo);
  if (maker === null) return;
  throw usageError(
    `the base may have other packages than yours: ${maker.path} differs, and ${maker.why}`,
    "--install 'npm ci'",
  );
}
