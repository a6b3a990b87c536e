/** The workflow that measures canaries: what it keeps and publishes from night to night, its own commands in real git. */
import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { type Job, readYaml, type Workflow } from "./read-yaml.ts";
import { folderTest, ranToEnd } from "./testing.ts";

const FOLDER = join(PROJECT_ROOT, ".github/workflows");

/** Workflows by their file. */
async function workflows(): Promise<Record<string, Workflow>> {
  const names = readdirSync(FOLDER);
  const texts = names.map((name) => readFileSync(join(FOLDER, name), "utf8"));
  const read = await readYaml<Workflow>(...texts);
  return Object.fromEntries(names.map((name, n) => [name, read[n]!]));
}

const mayWrite = (permissions: Job["permissions"]) =>
  Object.values(permissions ?? {}).some((right) => right !== "read");

test("a job whose token may write runs git alone, and all others may read; canaries run where no token lies", async () => {
  const all = await workflows();
  const writing: string[] = [];
  for (const [file, { permissions, jobs }] of Object.entries(all)) {
    assert.deepEqual(permissions, { contents: "read" }, `${file} names the rights of its jobs`);
    for (const [name, job] of Object.entries(jobs).filter(([, job]) => mayWrite(job.permissions))) {
      writing.push(`${file} ${name}`);
      // tests/release.test.ts has the rules of its jobs, which run what was tagged.
      if (file === "release.yml") continue;
      for (const { run = "", uses = "" } of job.steps) {
        assert.doesNotMatch(run, /\b(npm|npx|node|deno|bun|bench)\b|\bbin\//, `${file} ${name}`);
        assert.match(uses, /^(actions\/(checkout|download-artifact|deploy-pages)@.*)?$/, `${file} ${name}`);
      }
    }
  }
  assert.deepEqual(writing, [
    "canaries.yml publish",
    ...["npm", "jsr", "images", "github"].map((job) => `release.yml ${job}`),
    "site.yml publish",
  ]);
  const [checkout] = all["canaries.yml"]!.jobs["measure"]!.steps;
  assert.match(checkout!.uses!, /^actions\/checkout@/);
  assert.equal(checkout!.with?.["persist-credentials"], false);
});

const FIRST = "reference-kv-intel-6-207";

folderTest("each night keeps earlier runs, and publishes their page in a branch of one commit", async (folder) => {
  const [origin, repository] = [join(folder, "origin.git"), join(folder, "repository")];
  const sh = async (script: string, temp = folder, cwd = repository) => {
    const args = ["env", `RUNNER_TEMP=${temp}`, "bash", "-e", "-o", "pipefail", "-c", script];
    const { code, stdout, stderr } = await ranToEnd(args[0]!, args.slice(1), cwd);
    assert.equal(code, 0, `${script}\n${stderr}`);
    return stdout;
  };
  await sh(`git init -q --bare '${origin}' && git clone -q '${origin}' '${repository}'`, folder, folder);
  mkdirSync(join(repository, "bin"));
  const main = join(PROJECT_ROOT, "bench", "main.ts");
  writeFileSync(join(repository, "bin", "bench"), `#!/bin/sh\nexec '${locateRuntime("node").file}' '${main}' "$@"\n`);
  chmodSync(join(repository, "bin", "bench"), 0o755);
  const steps = Object.values((await workflows())["canaries.yml"]!.jobs).flatMap(({ steps }) => steps);
  const scriptOf = (name: string) => steps.find((step) => step.name === name)!.run!;

  for (const run of [FIRST, "reference-routes-intel-6-207"]) {
    const temp = join(folder, run);
    mkdirSync(temp);
    const tonight = join(temp, "tonight");
    cpSync(join(PROJECT_ROOT, "results", run), join(tonight, run), { recursive: true });
    // What a canary may leave: a link, and a folder of an earlier night's name.
    symlinkSync(repository, join(tonight, "link"));
    symlinkSync(join(repository, ".git", "config"), join(tonight, run, "link"));
    // And files that are none of a run.
    for (const name of [".env", "index.html", "cells/page.html", "cells/kv/a.html", "more/run.json"]) {
      mkdirSync(dirname(join(tonight, run, name)), { recursive: true });
      writeFileSync(join(tonight, run, name), "left by a canary");
    }
    mkdirSync(join(tonight, "a page"));
    writeFileSync(join(tonight, "a page", "run.json"), "left by a canary");
    writeFileSync(join(tonight, "page.html"), "left by a canary");
    if (run !== FIRST) mkdirSync(join(tonight, FIRST));
    for (const name of ["Earlier nights", "Page", "Publish"]) await sh(scriptOf(name), temp);
    rmSync(temp, { recursive: true });
  }
  assert.equal((await sh("git rev-list --count canaries", folder, origin)).trim(), "1");
  const files = (await sh("git ls-tree -r --name-only canaries", folder, origin)).split("\n");
  for (const name of ["kv", "routes"]) assert.ok(files.includes(`runs/reference-${name}-intel-6-207/journal.ndjson`));
  const named =
    /^(\.nojekyll|index\.html|runs\/reference-\w+-intel-6-207\/(SHA256SUMS|(run|summary)\.json|journal\.ndjson|cells\/\w+\/[^/]+\.json)|)$/;
  assert.deepEqual(files.filter((file) => !named.test(file)), []);
  const kept = readdirSync(join(PROJECT_ROOT, "results", FIRST), { recursive: true, withFileTypes: true });
  const ofFirst = files.filter((file) => file.startsWith(`runs/${FIRST}/`));
  assert.equal(ofFirst.length, kept.filter((entry) => entry.isFile()).length, "and all of a run is");
  const page = await sh("git show canaries:index.html", folder, origin);
  for (const name of ["kv", "routes"]) {
    assert.match(page, new RegExp(`(^|>)${name}: 1 run$`, "m"));
  }
});
