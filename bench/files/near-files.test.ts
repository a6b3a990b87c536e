import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { fileHint, SCRIPTS } from "./near-files.ts";

folderTest("for a file that is not there a hint has those that are: of a similar name, else of its kind", (folder) => {
  const hint = (name: string) => fileHint("--app", join(folder, name), SCRIPTS, "--app ./FILE");
  assert.equal(hint("app.ts"), "--app ./FILE", "an empty folder has none");
  for (const name of ["server.ts", "other.mjs", "notes.txt", ".hidden.ts"]) writeFileSync(join(folder, name), "");
  assert.match(hint("servr.ts"), /^--app \S*\/server\.ts$/);
  assert.match(hint("xyz.ts"), /^--app \S*\/other\.mjs, or --app \S*\/server\.ts$/);
  assert.equal(fileHint("--app", join(folder, "no", "such", "app.ts"), SCRIPTS, "--app ./FILE"), "--app ./FILE");
});
