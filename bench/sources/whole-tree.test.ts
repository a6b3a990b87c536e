import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder, ranToEnd } from "../../tests/testing.ts";
import { pathBefore, workTreeOf, writeOutCommit } from "./work-tree.ts";
import { refusePointers, refuseSparse } from "./whole-tree.ts";

const LONG = Array.from({ length: 20 }, (_, n) => `export const line${n} = ${n};\n`).join("");

/** A repository with one commit of some files, and what git does there. */
async function repositoryIn(folder: string, files: Readonly<Record<string, string>>) {
  const root = join(folder, "repo");
  const settings = ["user.name=a", "user.email=a@b", "commit.gpgsign=false"].flatMap((each) => ["-c", each]);
  const git = async (...args: string[]) => {
    const { code, stderr } = await ranToEnd("git", ["-C", root, ...settings, ...args]);
    assert.equal(code, 0, `git ${args.join(" ")}: ${stderr}`);
  };
  const write = (some: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(some)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  mkdirSync(root);
  await git("init", "-q");
  write(files);
  const keep = async () => {
    await git("add", "-A");
    await git("commit", "-q", "-m", "a commit");
    return await workTreeOf(root);
  };
  return { root, git, write, keep, tree: await keep() };
}

test("a file and a folder that were moved are found under their old paths, another is not", () =>
  inTemporaryFolder(async (folder) => {
    const { root, git, write, keep, tree } = await repositoryIn(folder, {
      "src/app.js": LONG,
      "old/a.js": `${LONG}// a`,
      "old/in/b.js": `${LONG}// b`,
      "at-root.js": `${LONG}// c`,
    });
    mkdirSync(join(root, "src/server"));
    for (const [from, to] of [["src/app.js", "src/server/app.js"], ["old", "new"]] as const) await git("mv", from, to);
    write({ "src/server/app.js": `${LONG}export const dearer = 1;\n`, "fresh.js": "export const fresh = 1;\n" });
    const before = (path: string) => pathBefore({ root }, tree.commit, path);
    assert.equal(await before("src/server/app.js"), "src/app.js", "as git's index has it");
    mkdirSync(join(root, "deep"));
    await git("mv", "at-root.js", "deep/at-root.js");
    await keep();
    assert.equal(await before("src/server/app.js"), "src/app.js", "as a commit has it");
    assert.equal(await before("new"), "old");
    assert.equal(await before("new/in"), "old/in");
    assert.equal(await before("deep"), "", "the root");
    for (const path of ["fresh.js", "nowhere", "ne"]) assert.equal(await before(path), null, path);
  }));

test("a sparse checkout that leaves files out is refused by their names, a whole one is not", () =>
  inTemporaryFolder(async (folder) => {
    const files = { "app/app.js": "", "other/one.js": "", "other/two.js": "", "other/a.js": "", "other/b.js": "" };
    const { root, git } = await repositoryIn(folder, files);
    await git("sparse-checkout", "set", "app", "other");
    await refuseSparse({ root });
    await git("sparse-checkout", "set", "app");
    await assert.rejects(
      refuseSparse({ root }),
      /sparse checkout without "other\/a\.js", "other\/b\.js", "other\/one\.js" and 1 more/,
    );
    await git("sparse-checkout", "disable");
    await refuseSparse({ root });
  }));

test("a pointer of Git LFS in place of a file is refused by its name, and what only looks like one is not", () =>
  inTemporaryFolder(async (folder) => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`;
    const { root, write, keep, tree } = await repositoryIn(folder, {
      ".gitattributes": "*.bin filter=lfs -text\n",
      "data/model.bin": pointer,
      "fixtures/pointer.txt": pointer,
    });
    const base = join(folder, "base");
    await writeOutCommit({ root }, tree.commit, base);
    const refused = /"main" has Git LFS pointers in place of "data\/model\.bin"$/;
    await assert.rejects(refusePointers({ root }, tree.commit, base, '"main"'), refused);
    write({ "data/model.bin": "contents" });
    await refusePointers({ root }, tree.commit, root, "the work tree");
    rmSync(join(root, "data"), { recursive: true });
    write({ ".gitattributes": "" });
    const after = await keep();
    await refusePointers({ root }, after.commit, root, "the work tree");
    await assert.rejects(refusePointers({ root }, tree.commit, base, '"main"'), refused, "by its own attributes");
  }));
