/** The rehearsal of a release: all steps but the pushes. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../../bench/machine/programs.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { ranToEnd } from "../testing.ts";

const npmTest = findProgram("npm") === undefined || !existsSync(join(PROJECT_ROOT, ".git")) ? test.skip : test;

npmTest("a dry run of the release packs, checks and names each push, which it leaves out", async () => {
  const { code, stdout, stderr } = await ranToEnd(join(PROJECT_ROOT, "bin", "release"), ["--dry-run"], PROJECT_ROOT);
  if (/ENOTCACHED|ENOTFOUND|ECONNREFUSED|ETIMEDOUT/.test(stderr)) return assert.ok(code !== 0, "npm cannot be reached");
  assert.equal(code, 0, stderr);
  const left = [...stdout.matchAll(/^ {2}left out: (\w+ \w+)/gm)].map(([, command]) => command);
  assert.deepEqual(left, ["npm publish", "deno publish", "docker build", "docker push", "gh release"]);
  assert.match(stdout, /dry run: nothing was published\n$/);
  const release = join(PROJECT_ROOT, ".data", "release");
  assert.match(readFileSync(join(release, "SHA256SUMS"), "utf8"), /^[0-9a-f]{64} {2}levelfield-\d+\.\d+\.\d+\.tgz\n$/);
  assert.ok(readFileSync(join(release, "release.md"), "utf8").length > 100);
});
