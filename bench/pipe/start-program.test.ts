import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { startProgram } from "./start-program.ts";

const COMMAND = { file: "cat", args: ["{levelfield-folder}/in"], cpus: null, env: {} };

/** Runs something with another folder for temporary files. */
async function withTemporary(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

folderTest(
  "a program whose files cannot be written has ended with why, and leaves no folder",
  (folder) =>
    withTemporary(folder, async () => {
      const sound = startProgram({ ...COMMAND, files: { in: "what it reads" } });
      assert.ok(!("failed" in await sound.ended));
      assert.equal(sound.stdout(), "what it reads");
      // Of a file that lies in no folder nothing can be written.
      const torn = await startProgram({ ...COMMAND, files: { "none/in": "" } }).ended;
      assert.match("failed" in torn ? torn.failed : "it was started", /^its files cannot be written: ENOENT/);
      assert.deepEqual(readdirSync(folder), []);
      mkdirSync(join(folder, "gone"));
      process.env["TMPDIR"] = join(folder, "gone");
      rmSync(join(folder, "gone"), { recursive: true });
      const none = startProgram({ ...COMMAND, output: ["out"] });
      await none.kill("SIGTERM");
      none.killAll();
      const ending = await none.ended;
      assert.match("failed" in ending ? ending.failed : "it was started", /^its files cannot be written: ENOENT/);
      assert.ok(!existsSync(join(folder, "gone")));
    }),
);
