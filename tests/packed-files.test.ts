/** What is packed and copied of a checkout: what git keeps, and nothing that lies between it. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../bench/machine/programs.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { sourceOf, trackedFiles } from "../package/packed-files.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";

const gitTest = findProgram("git") === undefined ? test.skip : test;

gitTest(
  "what may be packed is what git keeps, and not what lies untracked or ignored between it",
  () =>
    inTemporaryFolder(async (folder) => {
      const git = async (...args: string[]) => assert.equal((await ranToEnd("git", args, folder)).code, 0);
      await git("init", "-q");
      mkdirSync(join(folder, "servers"));
      for (const name of ["servers/main.ts", "servers/a name.lua", "gone.ts", ".gitignore"]) {
        writeFileSync(join(folder, name), "*.log\n");
      }
      await git("add", "-A");
      rmSync(join(folder, "gone.ts"));
      for (const name of ["servers/.env", "servers/a.log", "servers/scratch.ts"]) {
        writeFileSync(join(folder, name), "");
      }
      assert.deepEqual([...trackedFiles(folder)].sort(), [".gitignore", "servers/a name.lua", "servers/main.ts"]);
      assert.deepEqual(["a/b.d.ts", "a/b.js", "a/b.lua"].map(sourceOf), ["a/b.ts", "a/b.ts", "a/b.lua"]);
    }),
);

gitTest("without git nothing says what may be packed, so nothing is", () =>
  inTemporaryFolder((folder) => {
    mkdirSync(join(folder, "none"));
    assert.throws(() => trackedFiles(join(folder, "none")), /git decides what is packed, and ".*none" is no checkout/);
  }));

test("no hidden file and no key between the sources goes to the builder of the image", () => {
  const lines = readFileSync(join(PROJECT_ROOT, ".dockerignore"), "utf8").trim().split("\n");
  // The last line that fits a path decides.
  const last = lines.findLastIndex((line) => line.startsWith("!"));
  for (const line of ["**/.*", "**/*.pem", "**/*.key"]) assert.ok(lines.indexOf(line) > last, line);
});
