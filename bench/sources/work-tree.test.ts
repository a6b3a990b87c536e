import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint, folderTest, ranToEnd } from "../../tests/testing.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import { carry, lackingText, refuseLackingSettings } from "./carry.ts";
import { leaveHook } from "./git.ts";
import { commitOf, mergeBaseOf } from "./merge-base.ts";
import { pathsWithin, whyNotShared } from "./whole-tree.ts";
import { changedSince, commitHas, ignoredOf, workTreeOf, writeOutCommit, writeOutSubmodules } from "./work-tree.ts";

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

folderTest("a commit is written out whole, and repository and work tree stay as they are", async (folder) => {
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
});

folderTest("no repository and no such revision are usage errors that say what to try", async (folder) => {
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
});

folderTest("no hook of the user's repository runs while its revisions are read and written out", async (folder) => {
  const [root, ran] = [join(folder, "repo"), join(folder, "ran")];
  await makeRepository(root);
  const hooks = ["post-checkout", "post-index-change", "fsmonitor"].map((name) => join(root, ".git", "hooks", name));
  for (const hook of hooks) writeFileSync(hook, `#!/bin/sh\necho "$0" >> '${ran}'\n`, { mode: 0o755 });
  await git(root, "config", "core.fsmonitor", hooks[2]!);
  const tree = await workTreeOf(root);
  await writeOutCommit(tree, tree.commit, join(folder, "base"));
  await changedSince(tree, "HEAD~1");
  assert.ok(!existsSync(ran), existsSync(ran) ? readFileSync(ran, "utf8") : "");
});

folderTest("submodules are written out at the commit each revision names, and refused without it", async (folder) => {
  const [rules, root] = [join(folder, "rules"), join(folder, "repo")];
  await makeRepository(rules);
  await makeRepository(root);
  await git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", rules, "vendor/rules");
  const at = join(root, "vendor", "rules");
  for (const ref of ["HEAD~1", "HEAD"]) {
    await git(at, "checkout", "-q", ref === "HEAD" ? "main" : ref);
    await git(root, "add", "-A");
    await git(root, "commit", "-q", "-m", ref);
  }
  const tree = await workTreeOf(root);
  const written = async (ref: string, name: string) => {
    const commit = await commitOf(tree, ref), to = join(folder, name);
    await writeOutCommit(tree, commit, to);
    await writeOutSubmodules(tree, commit, to);
    return readFileSync(join(to, "vendor", "rules", "src", "app.ts"), "utf8");
  };
  assert.match(await written("HEAD~1", "a"), /v = 1/);
  assert.match(await written("HEAD", "b"), /v = 2/);
  const app = "vendor/rules/src/app.ts";
  writeFileSync(join(root, ".gitignore"), ".env\n");
  assert.deepEqual(await ignoredOf({ root }, [app, ".env"]), [".env"], "one in a submodule hides no other");
  writeFileSync(join(rules, "src", "app.ts"), "export const v = 3;\n");
  await git(rules, "commit", "-q", "-a", "-m", "v 3");
  const { commit } = await workTreeOf(rules);
  await git(root, "update-index", "--cacheinfo", `160000,${commit},vendor/rules`);
  await git(root, "commit", "-q", "-m", "not fetched");
  await assert.rejects(written("HEAD", "c"), new RegExp(`submodule "vendor/rules" of .* is at ${commit.slice(0, 7)}`));
  rmSync(join(at, ".git"));
  await assert.rejects(written("HEAD", "d"), /submodule "vendor\/rules" of .* has no clone/);
});

folderTest("files that git does not keep are carried; settings that a revision lacks are named", async (folder) => {
  const [root, base] = [join(folder, "repo"), join(folder, "base")];
  await makeRepository(root);
  const write = (path: string, text = "") => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write(".gitignore", ".env*\n.npmrc\nmade\n");
  for (const path of [".env", "src/.env.local", "src/.environment", "other/.env", "made/a.js"]) write(path, path);
  symlinkSync("a.js", join(root, "made", "b.js"));
  await writeOutCommit({ root }, "HEAD", base);
  const refused = (path: string, error: RegExp) => assert.rejects(carry({ root }, base, [path]), error);
  await refused(join(root, "gone"), /there is no such file/);
  await refused(join(root, "src"), /git keeps "src\/app\.ts"/);
  await refused(folder, /is no part of the repository/);
  const lacking = await refuseLackingSettings({ root }, base, ["src", ""]).then(() => undefined, (error) => error);
  assert.match(lacking!.message, /^git ignores "src\/\.env\.local", "\.env", which/);
  assert.match(lacking!.hint, /--carry \S+src\/\.env\.local --carry \S+\/\.env$/);
  const paths = ["made", ".env", "src/.env.local"];
  assert.match((await lackingText({ root }, base))!, /^Only yours has .*made\/.*other\/\.env/);
  write(".gitignore", ".env*\n.npmrc\nmade\nlimits.json\nother.json\n");
  for (const path of ["limits.json", "other.json"]) write(path);
  assert.match((await lackingText({ root }, base))!, /^Only yours has .*limits\.json/, "no script names it");
  write("src/app.ts", 'export const limits = "./limits.json";\n');
  const named = /git ignores "limits\.json", which only yours has and "src\/app\.ts" names/;
  await assert.rejects(lackingText({ root }, base), named);
  paths.push("limits.json");
  assert.deepEqual(await carry({ root }, base, paths.map((path) => join(root, path))), paths);
  assert.match((await lackingText({ root }, base))!, /^Only yours has .*other\.json/);
  assert.equal(readFileSync(join(base, "src", ".env.local"), "utf8"), "src/.env.local");
  assert.equal(realpathSync(join(base, "made", "b.js")), realpathSync(join(base, "made", "a.js")));
  await refuseLackingSettings({ root }, base, ["src", ""]);
});

folderTest("a path of the work tree in a variable is shared only where it is the same for both revisions", (root) => {
  for (const path of ["data/rows.json", "dist/app.js", "config.json", "node_modules/a/index.js"]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  assert.deepEqual(pathsWithin(root, `--require=${root}/config.json ${root}/gone ${root}x ./data`), ["config.json"]);
  assert.deepEqual(pathsWithin(root, `${root}/data/`), ["data"]);
  const why = (path: string, isIgnored = false) =>
    whyNotShared(root, path, { changed: ["config.json", "data/rows.json"], isIgnored });
  assert.equal(why("config.json"), "has changed");
  assert.equal(why("data"), "has changed in data/rows.json");
  assert.match(why("dist", true)!, /a build may make/);
  assert.deepEqual([why("node_modules/a"), why("dist")], [null, null]);
});

folderTest("a hook of another repository, or of a linked work tree, changes no answer of git", async (folder) => {
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
});

folderTest(
  "the base is where the branch left the named revision; without history it says how to get it",
  async (folder) => {
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
  },
);

folderTest(
  "changed paths are those of commits, of the work tree and new ones, none that git ignores",
  async (folder) => {
    const root = join(folder, "repo");
    await makeRepository(root);
    writeFileSync(join(root, ".gitignore"), ".env\n");
    writeFileSync(join(root, ".env"), "A=1");
    assert.deepEqual((await changedSince({ root }, "HEAD~1")).sort(), [".gitignore", "src/app.ts"]);
    assert.deepEqual(await changedSince({ root }, "HEAD"), [".gitignore"]);
    assert.deepEqual(await ignoredOf({ root }, [".env", "src/app.ts", "gone"]), [".env"]);
    assert.deepEqual(await ignoredOf({ root }, []), []);
  },
);
