/** The files that GitHub and citation tools read: they parse, have what these demand, and agree with the package. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { readYaml } from "./read-yaml.ts";

const textOf = (...path: string[]) => readFileSync(join(PROJECT_ROOT, ...path), "utf8");

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
}

test("each issue form has a name, a description, and fields with a kind and an id of their own", async () => {
  const folder = [".github", "ISSUE_TEMPLATE"], files = readdirSync(join(PROJECT_ROOT, ...folder));
  const names = files.filter((file) => file !== "config.yml").sort();
  assert.deepEqual(names, ["audit-correction.yml", "bug.yml", "store.yml", "suite.yml"]);
  const forms = await readYaml<Form>(...names.map((name) => textOf(...folder, name)));
  for (const [n, { name, description, body }] of forms.entries()) {
    assert.ok(name.length > 0 && description.length > 0, names[n]!);
    for (const { type } of body) assert.match(type, /^(input|textarea|dropdown|checkboxes|markdown)$/, names[n]!);
    const ids = body.filter(({ type }) => type !== "markdown").map(({ id }) => id);
    assert.ok(ids.every((id) => id !== undefined) && new Set(ids).size === ids.length, names[n]!);
  }
});

test("the citation has the version and the licence of the package", async () => {
  const [citation] = await readYaml<Record<string, unknown>>(textOf("CITATION.cff"));
  const { version, license } = JSON.parse(textOf("package.json"));
  assert.deepEqual([citation["version"], citation["license"]], [version, license]);
  for (const field of ["cff-version", "title", "message", "authors"]) assert.ok(citation[field], field);
});
