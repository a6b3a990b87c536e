import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Args } from "../args/read-args.ts";
import { failure, usageError } from "../core/errors.ts";
import { BASE, HEAD } from "../core/gate/gate-profile.ts";
import type { OwnServer } from "../core/own/own-spec.ts";
import { lendPackages, packagesDiffer } from "../host/lend-packages.ts";
import { runToEnd } from "../host/run-to-end.ts";
import { commitOf, workTreeOf, writeOutCommit } from "../host/work-tree.ts";
import { appOf } from "../own/read-draft.ts";

type OwnApp = OwnServer & { readonly kind: "app" };

/** Both revisions of an app, and what is said of them. */
export interface BaseAndHead {
  readonly base_ref: string;
  readonly base_commit: string;
  readonly head_commit: string;
  /** Whether the work tree holds what its commit does not. */
  readonly head_changed: boolean;
  /** The app's module and its folder, from the folder the bench was started in. */
  readonly module: string;
  readonly home: string;
}

/** Both as servers; null where the base has no such module. */
export type ServedPair = BaseAndHead & ({ readonly base: OwnApp; readonly head: OwnApp } | { readonly head: null });

/** How long a base may take to install and build. */
const INSTALL_MS = 1_200_000;

/**
 * Writes out the base of an app's repository, with its packages, into a folder of its own.
 * @param folder empty, and thrown away by the caller
 * @throws BenchError where there is no such revision, where it is the work tree itself, and where it wants other packages
 *   and nobody said how they are installed
 */
export async function putBase(
  args: Args,
  app: OwnApp,
  folder: string,
  doing: (text: string) => void,
): Promise<ServedPair> {
  const module = realpathSync(resolve(app.module));
  const tree = await workTreeOf(dirname(module));
  const ref = args.value("base") ?? "HEAD";
  const commit = await commitOf(tree, ref);
  if (commit === tree.commit && !tree.changed) {
    throw usageError(`the work tree is "${ref}" itself, unchanged: there is nothing to compare`, "--base HEAD~1");
  }
  doing(`writing out ${ref} (${commit.slice(0, 7)})`);
  await writeOutCommit(tree, commit, folder);
  const said: BaseAndHead = {
    base_ref: ref,
    base_commit: commit,
    head_commit: tree.commit,
    head_changed: tree.changed,
    module: app.module,
    home: app.home,
  };
  const there = join(folder, relative(tree.root, module));
  if (!existsSync(there)) return { ...said, head: null };
  await putPackages(args, tree.root, folder, realpathSync(resolve(app.home)), ref, doing);
  return {
    ...said,
    base: { ...appOf(BASE, there), revision: { ref, commit, changed: false } },
    head: { ...app, name: HEAD, revision: { ref: "HEAD", commit: tree.commit, changed: tree.changed } },
  };
}

async function putPackages(
  args: Args,
  root: string,
  folder: string,
  home: string,
  ref: string,
  doing: (text: string) => void,
): Promise<void> {
  const line = args.value("install");
  if (line === undefined) {
    const differing = packagesDiffer(root, folder, home);
    if (differing !== null) {
      throw usageError(`base "${ref}" wants other packages: ${differing} differs`, "--install 'npm ci'");
    }
    return lendPackages(root, folder);
  }
  const here = relative(root, realpathSync(process.cwd()));
  const at = here.startsWith("..") ? folder : join(folder, here);
  doing(`installing the base: ${line}`);
  // What git does not keep and the base needs all the same, such as a small database, can be copied from the work tree.
  const variable = `LEVELFIELD_WORK_TREE=${root}`;
  const done = await runToEnd("env", [variable, "sh", "-c", line], existsSync(at) ? at : folder, INSTALL_MS);
  if (done.code !== 0) {
    const last = `${done.stdout}\n${done.stderr}`.trim().split("\n").at(-1);
    throw failure(`--install "${line}" failed in base "${ref}": ${last}`, `try it in a checkout of ${ref}`);
  }
}
