/** A package of a checkout between whose files others lie. */
import assert from "node:assert/strict";
import { cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../../bench/machine/programs.ts";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { inTemporaryFolder, ranToEnd } from "../testing.ts";

const gitTest = findProgram("git") === undefined ? test.skip : test;

const PARTS = [
  ...["bench", "suites", "servers", "stores", "package", "mod.ts", "tsconfig.json", "package.json"],
  ...["LICENSE", "README.md", "CHANGELOG.md", "docs/library.md"],
];

/** Files of whoever packs, and what the compiler would build. */
const STRANGERS = ["servers/.env", "suites/kv/notes.json", "bench/scratch.ts", "stores/dump.sqlite"];

gitTest(
  "a package holds what git keeps of the checkout, and nothing that lies untracked or ignored between it",
  () =>
    inTemporaryFolder(async (folder) => {
      const checkout = join(folder, "checkout"), staged = join(folder, "staged");
      for (const part of PARTS) cpSync(join(PROJECT_ROOT, part), join(checkout, part), { recursive: true });
      symlinkSync(join(PROJECT_ROOT, "node_modules"), join(checkout, "node_modules"));
      const git = async (...args: string[]) => assert.equal((await ranToEnd("git", args, checkout)).code, 0);
      writeFileSync(join(checkout, ".gitignore"), "*.sqlite\nnode_modules\n");
      await git("init", "-q");
      await git("add", "-A");
      await git("-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qm", "all");
      for (const name of STRANGERS) writeFileSync(join(checkout, name), "export const secret = 1;\n");
      const program = `import("./package/stage.ts").then(({ stagePackage }) => stagePackage(${
        JSON.stringify(staged)
      }))`;
      const { code, stderr } = await ranToEnd(locateRuntime("node").file, ["-e", program], checkout);
      assert.equal(code, 0, stderr);
      const packed = readdirSync(staged, { recursive: true, encoding: "utf8" });
      for (const name of ["bench/main.js", "bench/main.d.ts", "mod.js", "package/levelfield.js"]) {
        assert.ok(packed.includes(name), name);
      }
      const own = packed.filter((name) => STRANGERS.some((each) => name.startsWith(each.replace(/\.ts$/, ""))));
      assert.deepEqual(own, []);
    }),
);
