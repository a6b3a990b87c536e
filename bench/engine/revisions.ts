import type { Revisions } from "../report/gate-report.ts";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { failure, usageError } from "../basics/errors.ts";
import type { UserDraft, UserServer } from "../record/user-spec.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import { lendPackages, packagesDiffer } from "../sources/lend-packages.ts";
import { runToEnd } from "../machine/programs.ts";
import { commitHas, commitOf, type WorkTree, workTreeOf, writeOutCommit } from "../sources/work-tree.ts";
import { filesOfCommand } from "../apps/app-source.ts";
import { fromHere } from "../options/draft-requests.ts";
import { appOf } from "../options/read-draft.ts";

/** A server that has revisions. */
export type Revised = Extract<UserServer, { readonly kind: "app" | "command" }>;

/** The one server whose revisions are compared. Throws a usage error for none, several, or one that somebody else started. */
export function oneServer(draft: UserDraft | undefined, who: string, hint: string): Revised {
  const [server, ...others] = draft?.servers ?? [];
  if (server === undefined) throw usageError(`${who} needs one --app, --program or --command`, hint);
  if (others.length > 0) {
    const names = [server, ...others].map(({ name }) => name);
    throw usageError(`${who} compares one server with its base, not ${names.length}: ${names.join(", ")}`, hint);
  }
  if (server.kind === "target") {
    throw usageError(`${who} starts all servers itself: --target is started already`, hint);
  }
  return server;
}

/** Where revisions are written out, how their packages are installed, and who hears of it. */
interface Workshop {
  /** A scratch folder of the caller. */
  readonly folder: string;
  /** A command line for packages; lent from the work tree without one. */
  readonly install: string | undefined;
  readonly doing: (text: string) => void;
}

/** The commits of both revisions, and what they serve. */
export interface BaseAndHead extends Revisions {
  /** The app's module, or a program's words. */
  readonly module: string;
  /** The folder it lives in, from the current one. */
  readonly home: string;
}

/** Both as servers; null if the base has no such module or folder. */
type ServedPair = BaseAndHead & ({ readonly base: Revised; readonly head: Revised } | { readonly head: null });

/** The longest time for installing and building a base, in ms. */
const INSTALL_MS = 1_200_000;

/**
 * Writes out the base of a server's repository with its packages.
 *
 * @throws BenchError if there is no such revision, it is the work tree itself, or it needs other packages and nobody said
 *   how to install them
 */
export async function putBase(ref: string, server: Revised, workshop: Workshop): Promise<ServedPair> {
  const { tree, served } = await treeOf(server);
  const commit = await commitOf(tree, ref);
  if (commit === tree.commit && !tree.changed) {
    throw usageError(`the work tree is "${ref}" itself, unchanged: there is nothing to compare`, "such as HEAD~1");
  }
  const base = await putRevision(server, { tree, served, ref, commit, name: BASE }, workshop);
  const said: BaseAndHead = {
    base_ref: ref,
    base_commit: commit,
    head_commit: tree.commit,
    head_changed: tree.changed,
    module: server.kind === "app" ? server.module : server.command.join(" "),
    home: server.home ?? ".",
  };
  if (base === null) return { ...said, head: null };
  const revision = { ref: "HEAD", commit: tree.commit, changed: tree.changed };
  return { ...said, base, head: { ...server, name: YOURS, revision } };
}

/** The repository of a server, and the module or folder that each of its revisions must have. */
export async function treeOf(server: Revised): Promise<{ readonly tree: WorkTree; readonly served: string }> {
  const served = realpathSync(resolve(server.kind === "app" ? server.module : "."));
  const tree = await workTreeOf(server.kind === "app" ? dirname(served) : served);
  refuseShared(server, tree.root);
  return { tree, served };
}

/** A revision to be written out, and the name of its server. */
interface RevisionWish extends Awaited<ReturnType<typeof treeOf>> {
  readonly ref: string;
  readonly commit: string;
  readonly name: string;
}

/** Writes out one revision with its packages and returns its server, or null if it has no such module or folder. */
export async function putRevision(
  server: Revised,
  { tree, served, ref, commit, name }: RevisionWish,
  workshop: Workshop,
): Promise<Revised | null> {
  const { folder } = workshop;
  workshop.doing(`writing out ${ref} (${commit.slice(0, 7)})`);
  await writeOutCommit(tree, commit, folder);
  const path = relative(tree.root, served);
  const there = join(folder, path);
  if (!existsSync(there)) {
    if (!await commitHas(tree, commit, path.replaceAll(sep, "/"))) return null;
    throw failure(`"${ref}" has "${path}", and git did not write it out`, `git -C "${tree.root}" sparse-checkout list`);
  }
  await putPackages(tree.root, realpathSync(resolve(server.home ?? ".")), ref, workshop);
  const written = server.kind === "app"
    ? { ...appOf(name, there), ...(server.listens === undefined ? {} : { listens: server.listens }) }
    : commandIn(server, there);
  return { ...written, name, revision: { ref, commit, changed: false } };
}

/** Throws for a program whose revisions cannot run at the same time. */
function refuseShared(server: Revised, root: string): void {
  const port = server.kind === "app" ? server.listens?.port ?? null : server.port;
  if (port !== null) {
    throw usageError(
      `revisions run at the same time: both cannot listen on port ${port}`,
      'let the program read PORT, or put {port} into it: --command "node server.js {port}"',
    );
  }
  if (server.kind === "app") return;
  // Packages are lent anyway.
  const fixed = server.command.find((word) => word.includes(`${root}/`) && !word.includes("/node_modules/"));
  if (fixed !== undefined) {
    throw usageError(`"${fixed}" names the work tree itself: its revisions would run your code`, "say it from here");
  }
}

/** The same program in another folder. */
function commandIn(server: Extract<Revised, { readonly kind: "command" }>, folder: string): Revised {
  return { ...server, home: fromHere(folder), files: filesOfCommand(server.command, folder) };
}

async function putPackages(
  root: string,
  home: string,
  ref: string,
  { folder, install: line, doing }: Workshop,
): Promise<void> {
  if (line === undefined) {
    const differing = packagesDiffer(root, folder, home);
    if (differing !== null) {
      throw usageError(`revision "${ref}" wants other packages: ${differing} differs`, "--install 'npm ci'");
    }
    return lendPackages(root, folder);
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
}
