import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { scriptArgs } from "./this-runtime.ts";

folderTest("another process runs a script as this one does, and nothing around it", (folder) => {
  const script = join(folder, "says.ts");
  writeFileSync(script, 'const word: string = "one line";\nprocess.stdout.write(`${word}\\n`);\n');
  const { stdout, stderr } = spawnSync(process.execPath, [...scriptArgs(), script], { encoding: "utf8" });
  assert.equal(stdout, "one line\n", stderr);
});
