import type { Revisions } from "../report/gate-outcome.ts";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { failure, usageError } from "../basics/errors.ts";
import type { UserDraft, UserServer } from "../record/user-spec.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import { carry, lackingText, refuseLackingSettings } from "../sources/carry.ts";
import {
  foldersUpTo,
  type Installation,
  installationOf,
  isInstalled,
  locksDiffer,
  refuseOtherPackages,
} from "../sources/package-managers.ts";
import { refusePointers, refuseShared, refuseSparse } from "../sources/whole-tree.ts";
import { commitOf, mergeBaseOf } from "../sources/merge-base.ts";
import { runInstall } from "../sources/run-install.ts";
import {
  changedSince,
  ignoredOf,
  pathBefore,
  type WorkTree,
  workTreeOf,
  writeOutCommit,
  writeOutSubmodules,
} from "../sources/work-tree.ts";
import { homeOf } from "../sources/source-hash.ts";
import { filesOfCommand } from "../apps/app-source.ts";
import { present } from "../basics/present.ts";
import { fromHere } from "../files/near-files.ts";
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

/** A server by its module, or by a program's words. */
export const serverWords = (server: Revised): string =>
  server.kind === "app" ? server.module : server.command.join(" ");

interface BaseAndHead extends Revisions {
  /** The app's module, or a program's words. */
  readonly module: string;
  /** The folder it lives in, from the current one. */
  readonly home: string;
}

/** Both as servers; null if the base has no such module or folder. */
export type ServedPair =
  & BaseAndHead
  & ({ readonly base: Revised; readonly head: Revised } | { readonly head: null });

/**
 * Writes out the base of a server's repository and installs its packages: a revision itself, or where the work tree's branch
 * left it. Packages of the work tree that are not those of its lock file are installed anew if the base has another one.
 *
 * @throws BenchError if there is no such revision, it is the work tree itself, or installing packages fails
 */
export async function putBase(
  { ref, since }: { readonly ref: string; readonly since: "revision" | "merge-base" },
  server: Revised,
  workshop: Workshop,
): Promise<ServedPair> {
  const { tree, served } = await treeOf(server);
  const named = await commitOf(tree, ref);
  const { commit } = since === "revision" ? { commit: named } : await mergeBaseOf(tree, ref);
  if (commit === tree.commit && !tree.changed) {
    const what = named === commit ? `is "${ref}" itself, unchanged` : `has nothing that "${ref}" has not`;
    throw usageError(`the work tree ${what}: there is nothing to compare`, "such as HEAD~1");
  }
  const base = await putRevision(server, { tree, served, ref, commit, name: BASE }, workshop);
  const said: BaseAndHead = {
    base_ref: ref,
    base_commit: commit,
    named_commit: named,
    head_commit: tree.commit,
    head_changed: tree.changed,
    carried: base?.carried ?? [],
    lacking: base?.lacking ?? null,
    moved: base?.moved ?? null,
    module: serverWords(server),
    home: server.home ?? ".",
  };
  if (base === null) return { ...said, head: null };
  await installYours(tree, base.folders, workshop);
  const revision = { ref: "HEAD", commit: tree.commit, changed: tree.changed };
  return { ...said, base: base.server, head: { ...server, name: YOURS, revision } };
}

/** The repository of a server, and the module or folder that each of its revisions must have. */
export async function treeOf(server: Revised): Promise<{ readonly tree: WorkTree; readonly served: string }> {
  const served = realpathSync(resolve(server.kind === "app" ? server.module : "."));
  const tree = await workTreeOf(server.kind === "app" ? dirname(served) : served);
  refusePort(server);
  await refuseSparse(tree);
  await refusePointers(tree, tree.commit, tree.root, "the work tree");
  return { tree, served };
}

interface RequestedRevision extends Awaited<ReturnType<typeof treeOf>> {
  readonly ref: string;
  readonly commit: string;
  readonly name: string;
}

/**
 * Writes out one revision and installs its packages. Returns its server, the paths that were carried into it, lines on
 * what it lacks and on what it has elsewhere, and your folders up to the root; null if it has no such module or folder.
 */
export async function putRevision(
  server: Revised,
  { tree, served, ref, commit, name }: RequestedRevision,
  workshop: Workshop,
) {
  const { folder, say } = workshop;
  workshop.doing(`writing out ${ref} (${commit.slice(0, 7)})`);
  // The base's folder may lie in the work tree: it must not count as new.
  const changed = await changedSince(tree, commit);
  await writeOutCommit(tree, commit, folder);
  await writeOutSubmodules(tree, commit, folder);
  await refusePointers(tree, commit, folder, `"${ref}"`);
  const built = await builtFile(server, tree, served);
  const placed = await placesIn(server, { tree, served, commit, folder, isBuilt: built !== null });
  if (placed === null) return null;
  const { there, command, moves } = placed;
  const moved = moves.length === 0 ? null : `"${ref}" has ${moves.join(", and ")}`;
  if (moved !== null) say(moved);
  const lacksBuilt = () => built !== null && !existsSync(join(folder, built));
  const isUnbuilt = lacksBuilt();
  await refuseShared(server.kind === "app" ? [] : server.command, tree, { changed, env: workshop.env });
  const folders = foldersUpTo(tree.root, realpathSync(resolve(server.home ?? ".")));
  const carried = await carry(tree, folder, workshop.carry);
  if (carried.length > 0) say(`Carried from your work tree: ${carried.join(", ")}`);
  if (isUnbuilt && !lacksBuilt()) {
    throw usageError(`--carry brings "${built}" itself: both would run yours`, "--install 'npm ci && npm run build'");
  }
  await refuseLackingSettings(tree, folder, folders);
  const home = realpathSync(server.kind === "app" ? homeOf(there) : there);
  await installPackages({ tree, folders: foldersUpTo(realpathSync(folder), home), ref }, workshop);
  if (lacksBuilt()) {
    const { install } = workshop;
    throw install === undefined
      ? usageError(`git ignores "${built}", so revision "${ref}" has none`, "--install 'npm ci && npm run build'")
      : failure(`--install "${install}" made no "${built}" in revision "${ref}"`, `try it in a checkout of ${ref}`);
  }
  const lacking = await lackingText(tree, folder);
  if (lacking !== null) say(lacking);
  const written = server.kind === "app"
    ? { ...appOf(name, there), ...present({ listens: server.listens }) }
    : { ...server, command, home: fromHere(there), files: filesOfCommand(command, there) };
  const put: Revised = { ...written, name, revision: { ref, commit, changed: false } };
  return { server: put, carried, lacking, moved, folders };
}

/**
 * Returns where a written revision has a server's module or folder, its command there, and what was moved since in words;
 * null if it has none. Words of a command are files of its folder, which may have been moved as well.
 */
async function placesIn(
  server: Revised,
  { tree, served, commit, folder, isBuilt }: {
    readonly tree: WorkTree;
    readonly served: string;
    readonly commit: string;
    readonly folder: string;
    readonly isBuilt: boolean;
  },
) {
  const moves: string[] = [];
  /** A path of the work tree as the revision has it, from the root; null if it has none. */
  const before = async (path: string): Promise<string | null> => {
    if (existsSync(join(folder, path))) return path;
    const old = await pathBefore(tree, commit, path.replaceAll(sep, "/"));
    if (old === null || !existsSync(join(folder, old))) return null;
    moves.push(`"${path}" as "${old}"`);
    return old;
  };
  const path = relative(tree.root, served);
  const old = isBuilt ? path : await before(path);
  if (old === null) return null;
  const there = join(folder, old);
  const command: string[] = [];
  for (const word of server.kind === "app" ? [] : server.command) {
    const isNamed = server.kind === "command" && server.files.some((file) => file.path === word) && word[0] !== "/";
    const place = isNamed && !isBuilt && !existsSync(join(there, word)) ? await before(join(path, word)) : null;
    command.push(place === null ? word : relative(old, place));
  }
  return { there, command, moves };
}

/** Returns the file of a server that git ignores, from the repository's root, since it is built; null without one. */
async function builtFile(server: Revised, tree: WorkTree, served: string): Promise<string | null> {
  const files = server.kind === "app" ? [served] : server.files.map(({ path }) => resolve(served, path));
  const inside = files.map((file) => relative(tree.root, file)).filter((path) =>
    path !== "" && !path.startsWith("..") && !path.split(sep).includes("node_modules")
  );
  return (await ignoredOf(tree, inside))[0] ?? null;
}

function refusePort(server: Revised): void {
  const port = server.kind === "app" ? server.listens?.port ?? null : server.port;
  if (port !== null) {
    throw usageError(
      `revisions run at the same time: both cannot listen on port ${port}`,
      'let the program read PORT, or put {port} into it: --command "node server.js {port}"',
    );
  }
}

/** The folder for revisions, the way to install their packages, and a listener for progress. */
interface Workshop {
  /** A scratch folder of the caller. */
  readonly folder: string;
  /** A command line for packages; that of the lock file without one. */
  readonly install: string | undefined;
  /** Paths that git ignores and a revision is given, from the current folder. */
  readonly carry: readonly string[];
  /** Names of the variables that its servers see. */
  readonly env: readonly string[];
  readonly doing: (text: string) => void;
  readonly say: (line: string) => void;
}

/** Installs the packages of a written revision by the given command, or by the command of its lock file. */
async function installPackages(
  { tree: { root }, folders, ref }: { tree: WorkTree; folders: readonly string[]; ref: string },
  { folder, install, doing }: Workshop,
): Promise<void> {
  const found = installationOf(folder, folders);
  if (found === "unlocked" && install === undefined) {
    if (!folders.some((one) => existsSync(join(root, one, "node_modules")))) return;
    throw usageError(`revision "${ref}" has dependencies and no lock file that pins them`, "--install 'npm install'");
  }
  const line = install ?? (found as Installation | null)?.line;
  if (line === undefined) return;
  doing(`installing ${ref}: ${line}`);
  const at = installFolder(root, folder, install === undefined ? found : null);
  await runInstall({ line, at, tree: folder, root, where: `revision "${ref}"` });
}

/** Returns the folder in which a command runs: that of the lock file, else the copy of the current folder, else the root. */
function installFolder(root: string, tree: string, found: Installation | "unlocked" | null): string {
  const here = relative(root, realpathSync(process.cwd()));
  const inside = found !== null && found !== "unlocked" ? found.folder : here.startsWith("..") ? "" : here;
  return existsSync(join(tree, inside)) ? join(tree, inside) : tree;
}

/**
 * Installs packages for the work tree if its lock file differs from the base's and from its installed packages. Of one
 * with the base's lock file other packages are refused: see {@link refuseOtherPackages}.
 */
async function installYours(
  { root }: WorkTree,
  folders: readonly string[],
  { folder, install, doing, say }: Workshop,
): Promise<void> {
  const yours = installationOf(root, folders);
  if (yours === null || yours === "unlocked") return;
  if (!locksDiffer(root, folder, yours)) return refuseOtherPackages(root, folder, yours);
  if (isInstalled(root, yours)) return;
  const line = install ?? yours.line;
  say(`Installing in your work tree, whose packages are not those of ${yours.lock}: ${line}`);
  doing(`installing yours: ${line}`);
  const at = installFolder(root, root, install === undefined ? yours : null);
  await runInstall({ line, at, tree: root, root, where: "the work tree" });
}
