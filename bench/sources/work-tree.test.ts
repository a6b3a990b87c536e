import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fingerprint, inTemporaryFolder, ranToEnd } from "../../tests/testing.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import { leaveHook } from "./git.ts";
import { lendPackages, packagesDiffer } from "./lend-packages.ts";
import { commitOf, mergeBaseOf } from "./merge-base.ts";
import { changedSince, commitHas, ignoredOf, workTreeOf, writeOutCommit } from "./work-tree.ts";

async function git(root: string, ...args: string[]): Promise<void> {
  const settings = ["user.name=a", "user.email=a@b", "commit.gpgsign=false", "init.defaultBranch=main"]
    .flatMap((each) => ["-c", each]);
  const { code, stderr } = await ranToEnd("git", ["-C", root, ...settings, ...args]);
  assert.equal(code, 0, `git ${args.join(" ")}: ${stderr}`);
}

/** A repository with two commits: `v: 1` and `v: 2` in src/app.ts. */
async function makeRepository(root: string): Promise<void> {
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, ".gitattributes"), "src/kept.txt export-ignore\n");
  writeFileSync(join(root, "src", "kept.txt"), "left out of archives");
  await git(root, "init", "-q");
  for (const v of [1, 2]) {
    writeFileSync(join(root, "src", "app.ts"), `export const v = ${v};\n`);
    await git(root, "add", "-A");
    await git(root, "commit", "-q", "-m", `v ${v}`);
  }
}

test("a commit is written out whole, and repository and work tree stay as they are", () =>
  inTemporaryFolder(async (folder) => {
    const root = join(folder, "repo");
    await makeRepository(root);
    const tree = await workTreeOf(join(root, "src"));
    assert.deepEqual([tree.root, tree.changed], [realpathSync(root), false]);
    writeFileSync(join(root, "src", "app.ts"), "export const v = 3;\n");
    writeFileSync(join(root, "new.ts"), "");
    assert.equal((await workTreeOf(root)).changed, true);
    const before = [fingerprint(join(root, ".git")), fingerprint(root)];
    const base = join(folder, "base");
    await writeOutCommit(tree, await commitOf(tree, "HEAD~1"), base);
    assert.equal(readFileSync(join(base, "src", "app.ts"), "utf8"), "export const v = 1;\n");
    assert.ok(existsSync(join(base, "src", "kept.txt")));
    assert.ok(!existsSync(join(base, "new.ts")) && !existsSync(join(base, ".levelfield-index")));
    assert.deepEqual([fingerprint(join(root, ".git")), fingerprint(root)], before);
  }));

test("no repository and no such revision are usage errors that say what to try", () =>
  inTemporaryFolder(async (folder) => {
    const refused = (error: unknown) =>
      error instanceof BenchError && error.exit === EXIT.usage && error.hint !== undefined;
    await assert.rejects(workTreeOf(folder), refused);
    const root = join(folder, "repo");
    mkdirSync(root);
    await git(root, "init", "-q");
    await assert.rejects(workTreeOf(root), refused);
    await makeRepository(root);
    await assert.rejects(commitOf({ root }, "no-such-branch"), refused);
    await assert.rejects(commitOf({ root }, "--help"), refused);
  }));

test("a base wants other packages where a lock file differs, or without any what package.json asks for", () =>
  inTemporaryFolder((folder) => {
    const [root, other] = [join(folder, "a"), join(folder, "b")];
    for (const tree of [root, other]) mkdirSync(join(tree, "apps", "api"), { recursive: true });
    const home = join(root, "apps", "api");
    const write = (tree: string, path: string, text: string) => writeFileSync(join(tree, path), text);
    const differing = () => packagesDiffer(root, other, home);
    assert.equal(differing(), null);
    write(root, "apps/api/package.json", '{"version":"1","dependencies":{"hono":"4"}}');
    write(other, "apps/api/package.json", '{"version":"2","dependencies":{"hono":"4"}}');
    assert.equal(differing(), null, "a version of its own is no package");
    write(other, "apps/api/package.json", '{"dependencies":{"hono":"3"}}');
    assert.equal(differing(), join("apps", "api", "package.json"));
    for (const tree of [root, other]) write(tree, "pnpm-lock.yaml", "hono: 4.1.0");
    assert.equal(differing(), null, "a lock file says more than package.json");
    write(other, "pnpm-lock.yaml", "hono: 4.2.0");
    assert.equal(differing(), "pnpm-lock.yaml");
  }));

test("packages are lent by links, and one that is a folder of the repository becomes the base's own", () =>
  inTemporaryFolder((folder) => {
    const [root, other] = [join(folder, "a"), join(folder, "b")];
    for (const tree of [root, other]) {
      mkdirSync(join(tree, "packages", "lib"), { recursive: true });
      writeFileSync(join(tree, "packages", "lib", "index.js"), tree);
    }
    mkdirSync(join(root, "node_modules", "hono"), { recursive: true });
    writeFileSync(join(root, "node_modules", "hono", "index.js"), "hono");
    mkdirSync(join(root, "node_modules", "@me"));
    symlinkSync(join("..", "..", "packages", "lib"), join(root, "node_modules", "@me", "lib"));
    symlinkSync("nowhere", join(root, "node_modules", "broken"));
    lendPackages(root, other);
    const lent = (...path: string[]) => readFileSync(join(other, "node_modules", ...path, "index.js"), "utf8");
    assert.equal(lent("hono"), "hono");
    assert.equal(lent("@me", "lib"), other, "the base runs its own part of the repository");
  }));

test("a hook of another repository, or of a linked work tree, changes nothing of what git is asked", () =>
  inTemporaryFolder(async (folder) => {
    const [root, other, linked] = [join(folder, "repo"), join(folder, "other"), join(folder, "linked")];
    await makeRepository(root);
    await makeRepository(other);
    await git(other, "commit", "-q", "--allow-empty", "-m", "one more");
    await git(root, "worktree", "add", "-q", "-b", "side", linked, "HEAD~1");
    const before = { ...process.env };
    const hook = { GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, ".git", "index") };
    Object.assign(process.env, hook);
    try {
      const tree = await workTreeOf(linked);
      assert.equal(tree.root, realpathSync(linked));
      const commit = await commitOf(tree, "HEAD");
      assert.equal(commit, tree.commit);
      assert.deepEqual([await commitHas(tree, commit, "src/app.ts"), await commitHas(tree, commit, "gone.ts")], [
        true,
        false,
      ]);
      await writeOutCommit(tree, commit, join(folder, "base"));
      assert.equal(readFileSync(join(folder, "base", "src", "app.ts"), "utf8"), "export const v = 1;\n");
      leaveHook();
      assert.deepEqual(Object.keys(hook).filter((name) => name in process.env), []);
    } finally {
      for (const name of Object.keys(hook)) delete process.env[name];
      Object.assign(process.env, before);
    }
  }));

test("the base is where the branch left the named revision, and a clone without that history is told how to get it", () =>
  inTemporaryFolder(async (folder) => {
    const [root, clone] = [join(folder, "repo"), join(folder, "clone")];
    await makeRepository(root);
    await git(root, "checkout", "-q", "-b", "side");
    await git(root, "commit", "-q", "--allow-empty", "-m", "of the branch");
    await git(root, "checkout", "-q", "main");
    const left = (await workTreeOf(root)).commit;
    await git(root, "commit", "-q", "--allow-empty", "-m", "later, of main");
    const named = (await workTreeOf(root)).commit;
    await git(root, "checkout", "-q", "side");
    assert.deepEqual(await mergeBaseOf(await workTreeOf(root), "main"), { commit: left, named });
    for (const ref of ["main", "origin/main", "HEAD^", named]) {
      rmSync(clone, { recursive: true, force: true });
      await git(folder, "clone", "-q", "--depth=1", "--branch=side", `file://${root}`, clone);
      const tree = await workTreeOf(clone);
      const refused = await mergeBaseOf(tree, ref).then(() => undefined, (error: BenchError) => error);
      assert.match(refused!.message, /git knows no revision/);
      const { code, stderr } = await ranToEnd("sh", ["-c", `cd "${clone}" && ${refused!.hint}`]);
      assert.equal(code, 0, `${refused!.hint}: ${stderr}`);
      const { commit } = await mergeBaseOf(tree, ref);
      assert.equal(commit, left, `${ref}: ${refused!.hint}`);
    }
    rmSync(clone, { recursive: true, force: true });
    await git(folder, "clone", "-q", "--depth=1", "--branch=side", `file://${root}`, clone);
    await git(clone, "fetch", "-q", "--depth=1", "origin", "main:main");
    const cut = await mergeBaseOf(await workTreeOf(clone), "main").then(() => undefined, (error: BenchError) => error);
    assert.match(cut!.message, /this shallow clone lacks the history between "main" and HEAD/);
    const { code, stderr } = await ranToEnd("sh", ["-c", `cd "${clone}" && ${cut!.hint}`]);
    assert.equal(code, 0, `${cut!.hint}: ${stderr}`);
    assert.deepEqual(await mergeBaseOf(await workTreeOf(clone), "main"), { commit: left, named });
  }));

test("paths that changed are those of commits, of the work tree and new ones, without what git ignores", () =>
  inTemporaryFolder(async (folder) => {
    const root = join(folder, "repo");
    await makeRepository(root);
    writeFileSync(join(root, ".gitignore"), ".env\n");
    writeFileSync(join(root, ".env"), "A=1");
    assert.deepEqual((await changedSince({ root }, "HEAD~1")).sort(), [".gitignore", "src/app.ts"]);
    assert.deepEqual(await changedSince({ root }, "HEAD"), [".gitignore"]);
    assert.deepEqual(await ignoredOf({ root }, [".env", "src/app.ts", "gone"]), [".env"]);
    assert.deepEqual(await ignoredOf({ root }, []), []);
  }));
