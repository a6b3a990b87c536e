/** A release: what has to agree before it, and what its workflow may do. tests/long/release.test.ts rehearses it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { changelogPart, disagreements } from "../package/agreement.ts";
import { readYaml, type Workflow } from "./read-yaml.ts";

const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.3\n\n### Added\n\n- a\n\n## [1.2.2] - 2026-01-02\n\n- old\n";
const files = { "package.json": "1.2.3", "deno.json": "1.2.3" };

test("a release stops where version, tag and CHANGELOG differ, and a rehearsal before it does not", () => {
  assert.equal(changelogPart(CHANGELOG, "1.2.3"), "### Added\n\n- a");
  assert.equal(changelogPart(CHANGELOG, "1.2.2"), "- old");
  assert.equal(changelogPart(CHANGELOG, "1.2"), undefined);
  const right = { files, changelog: CHANGELOG, tag: "v1.2.3" };
  assert.deepEqual(disagreements(right, false), []);
  assert.deepEqual(disagreements({ ...right, tag: "v1.2.4" }, true), ["the tag is v1.2.4, not v1.2.3"]);
  assert.deepEqual(disagreements({ ...right, tag: undefined }, false), ["the tag is missing, not v1.2.3"]);
  assert.deepEqual(disagreements({ ...right, tag: undefined }, true), []);
  const other = { ...right, files: { ...files, "deno.json": "1.2.2", "CITATION.cff": undefined } };
  assert.deepEqual(disagreements(other, true), [
    "deno.json has version 1.2.2, package.json 1.2.3",
    "CITATION.cff has no version, package.json 1.2.3",
  ]);
  const coming = { changelog: "## Unreleased\n\n- a\n", files: { "package.json": "2.0.0" } };
  assert.deepEqual(disagreements({ ...coming, tag: undefined }, true), []);
  assert.deepEqual(disagreements({ ...coming, tag: "v2.0.0" }, false), ['CHANGELOG.md has no part "## 2.0.0"']);
});

test("the release needs no secret, each job may push one thing, and what pushes installs no package but Deno", async () => {
  const text = readFileSync(join(PROJECT_ROOT, ".github", "workflows", "release.yml"), "utf8");
  assert.doesNotMatch(text, /secrets\.|NODE_AUTH_TOKEN/);
  const [{ jobs }] = await readYaml<Workflow>(text);
  const rights = { npm: "id-token", jsr: "id-token", images: "packages", github: "contents" };
  for (const [name, right] of Object.entries(rights)) {
    const { permissions = {}, steps } = jobs[name]!;
    assert.deepEqual(Object.keys(permissions).filter((each) => permissions[each] === "write"), [right], name);
    const run = steps.map((step) => step.run ?? "").join("\n");
    assert.match(run, new RegExp(`node package/release\\.ts ${name}$`, "m"));
    // JSR takes what Deno publishes.
    const others = run.replace(/npm install --prefix "\$RUNNER_TEMP\/deno" "deno@\$\(node -p '[^']+'\)"/, "");
    assert.equal(others !== run, name === "jsr", name);
    assert.doesNotMatch(others, /\bnpm (ci|i|install)\b|\bbin\//, name);
  }
  assert.equal(jobs["pack"]!.permissions, undefined);
});
