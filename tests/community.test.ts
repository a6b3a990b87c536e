/** The file that citation tools read: it parses, has what these demand, and agrees with the package. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { readYaml } from "./read-yaml.ts";

const textOf = (...path: string[]) => readFileSync(join(PROJECT_ROOT, ...path), "utf8");

test("the citation has the version and the licence of the package", async () => {
  const [citation] = await readYaml<Record<string, unknown>>(textOf("CITATION.cff"));
  const { version, license } = JSON.parse(textOf("package.json"));
  assert.deepEqual([citation["version"], citation["license"]], [version, license]);
  for (const field of ["cff-version", "title", "message", "authors"]) assert.ok(citation[field], field);
});
