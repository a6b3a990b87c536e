/** A known name in a folder of all users: somebody may have put a link or a folder of that name there first. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";

/** Names in the folder for temporary files that a source knows beforehand. */
const known = (source: string): string[] =>
  [
    ...source.replaceAll(/mkdtempSync\(\s*join\(\s*tmpdir\(\)/g, "")
      .matchAll(/\btmpdir\(\),\s*(["'][^"']*["']|`[^`]*`)|(\$\{TMPDIR:-\/tmp\}\/[\w$-]+)/g),
  ]
    .map(([, name, inShell]) => name ?? inShell!)
    .filter((name) => !/randomUUID\(\)|X{4}/.test(name));

const folders = "{bench,lab,suites,servers,stores,tests,examples,action,bin,package}";
const paths = globSync(`${folders}/**/*.{ts,sh}`, { cwd: PROJECT_ROOT, exclude: (name) => /node_modules/.test(name) });
const textOf = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");

test("a folder of what is measured with is made in one place, under a name by which it is cleared away", () => {
  const makes = paths.filter((path) =>
    /^(bench|servers|suites|stores)\//.test(path) && !path.endsWith(".test.ts") && /mkdtemp/.test(textOf(path)) &&
    /tmpdir\(\)/.test(textOf(path))
  );
  assert.deepEqual(makes.toSorted(), ["bench/process/scratch-folder.ts", "servers/calls/loop.ts"]);
  for (const path of makes) assert.match(textOf(path), /mkdtempSync\([^;]*(?:ownerTag\(\)|LEVELFIELD_OWNER)/);
});

test("names among the temporary files are none that others can foresee", () => {
  for (
    const offender of [
      'const a = mkdtempSync(join(tmpdir(), "a-")), b = join(tmpdir(), "b");',
      "const a = join(\n  tmpdir(),\n  `a-${process.pid}`,\n);",
      'A="${TMPDIR:-/tmp}/levelfield-$ID"',
    ]
  ) assert.equal(known(offender).length, 1, offender);
  assert.ok(paths.length > 600, `${paths.length} files`);
  const found = paths.flatMap((path) => known(textOf(path)).map((name) => [path, name]));
  assert.deepEqual(
    found.filter(([path]) => path !== "tests/temporary-names.test.ts"),
    // All benches of a machine know it by its name; it is written so that no link is followed.
    [["bench/files/run-lock.ts", '"levelfield.lock"']],
  );
});
