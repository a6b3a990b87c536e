import type { Revisions } from "../report/gate-report.ts";
import { existsSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { failure, usageError } from "../basics/errors.ts";
import type { UserDraft, UserServer } from "../record/user-spec.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import { lendPackages, packagesDiffer, settingsLacking, upwards } from "../sources/lend-packages.ts";
import { pathsWithin, whyNotShared } from "../sources/shared-paths.ts";
import { commitOf, mergeBaseOf } from "../sources/merge-base.ts";
import { changedSince, commitHas, ignoredOf, type WorkTree, workTreeOf, writeOutCommit } from "../sources/work-tree.ts";
import { filesOfCommand } from "../apps/app-source.ts";
import { fromHere } from "../files/near-files.ts";
import { appOf } from "../options/read-draft.ts";
import { runToEnd } from "../machine/programs.ts";
import { packageMaker } from "../sources/package-makers.ts";

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

interface BaseAndHead extends Revisions {
  /** The app's module, or a program's words. */
  readonly module: string;
  /** The folder it lives in, from the current one. */
  readonly home: string;
}

/** Both as servers; null if the base has no such module or folder. */
export type ServedPair =
  & BaseAndHead
  & ({ readonly base: Revised; readonly head: Revised; readonly trees: Trees } | { readonly head: null });

/**
 * Writes out the base of a server's repository with its packages: a revision itself, or where the work tree's branch left it.
 *
 * @throws BenchError if there is no such revision, it is the work tree itself, it needs other packages and nobody said how
 *   to install them, or installing them fails
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
    lent: base?.lent ?? [],
    module: server.kind === "app" ? server.module : server.command.join(" "),
    home: server.home ?? ".",
  };
  if (base === null) return { ...said, head: null };
  const revision = { ref: "HEAD", commit: tree.commit, changed: tree.changed };
  return { ...said, base: base.server, trees: base.trees, head: { ...server, name: YOURS, revision } };
}

/** The repository of a server, and the module or folder that each of its revisions must have. */
export async function treeOf(server: Revised): Promise<{ readonly tree: WorkTree; readonly served: string }> {
  const served = realpathSync(resolve(server.kind === "app" ? server.module : "."));
  const tree = await workTreeOf(server.kind === "app" ? dirname(served) : served);
  refusePort(server);
  return { tree, served };
}

interface RevisionWish extends Awaited<ReturnType<typeof treeOf>> {
  readonly ref: string;
  readonly commit: string;
  readonly name: string;
}

/**
 * Writes out one revision with its packages. Returns its server and the paths of settings that it was lent, or null if it
 * has no such module or folder.
 */
export async function putRevision(
  server: Revised,
  { tree, served, ref, commit, name }: RevisionWish,
  workshop: Workshop,
) {
  const { folder } = workshop;
  workshop.doing(`writing out ${ref} (${commit.slice(0, 7)})`);
  // The base's folder may lie in the work tree: it must not count as new.
  const changed = await changedSince(tree, commit);
  await writeOutCommit(tree, commit, folder);
  const path = relative(tree.root, served);
  const there = join(folder, path);
  const built = await builtFile(server, tree, served);
  if (built === null && !existsSync(there)) {
    if (!await commitHas(tree, commit, path.replaceAll(sep, "/"))) return null;
    throw failure(`"${ref}" has "${path}", and git did not write it out`, `git -C "${tree.root}" sparse-checkout list`);
  }
  if (built !== null && workshop.install === undefined && !existsSync(join(folder, built))) {
    throw usageError(`git ignores "${built}", so revision "${ref}" has none`, "--install 'npm ci && npm run build'");
  }
  const home = realpathSync(resolve(server.home ?? "."));
  await refuseShared(server, tree, { changed, env: workshop.env });
  const lentTo = await putPackages({ tree, home, ref, changed }, workshop);
  if (built !== null && !existsSync(join(folder, built))) {
    throw failure(
      `--install "${workshop.install}" made no "${built}" in revision "${ref}"`,
      `try it in a checkout of ${ref}`,
    );
  }
  const written = server.kind === "app"
    ? { ...appOf(name, there), ...(server.listens === undefined ? {} : { listens: server.listens }) }
    : { ...server, home: fromHere(there), files: filesOfCommand(server.command, there) };
  // Settings that git ignores are linked into a revision that has none.
  const lent = await ignoredOf(tree, settingsLacking(tree.root, folder, upwards(tree.root, home)));
  for (const file of lent) symlinkSync(join(tree.root, file), join(folder, file));
  const trees = { root: tree.root, folder, changed, lentTo };
  const put: Revised = { ...written, name, revision: { ref, commit, changed: false } };
  return { server: put, lent, trees };
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

/** Throws for words and variables of a server by which its revisions would read files of the work tree. */
async function refuseShared(
  server: Revised,
  tree: WorkTree,
  { changed, env }: { readonly changed: readonly string[]; readonly env: readonly string[] },
): Promise<void> {
  const { root } = tree;
  // Packages are lent anyway.
  const fixed = server.kind === "app"
    ? undefined
    : server.command.find((word) => word.includes(`${root}/`) && !word.includes("/node_modules/"));
  if (fixed !== undefined) {
    throw usageError(`"${fixed}" names the work tree itself: its revisions would run your code`, "say it from here");
  }
  for (const name of env) {
    for (const path of pathsWithin(root, process.env[name] ?? "")) {
      const isIgnored = (await ignoredOf(tree, [path])).length > 0;
      const why = whyNotShared(root, path, { changed, isIgnored });
      if (why === null) continue;
      throw usageError(
        `--env ${name} names "${path}" of the work tree, which ${why}: the base would read yours`,
        `set ${name} to a path from the app's folder, or to a copy of "${path}" outside the repository`,
      );
    }
  }
}

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
