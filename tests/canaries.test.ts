/** The workflow that measures canaries: what it keeps and publishes from night to night, its own commands in real git. */
import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { locateRuntime, PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";

const program = "console.log(JSON.stringify(Bun.YAML.parse(process.argv[1]).jobs.measure.steps))";

test("each night keeps the runs of those before, and publishes their page in a branch of one commit", () =>
  inTemporaryFolder(async (folder) => {
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
    const text = readFileSync(join(PROJECT_ROOT, ".github/workflows/canaries.yml"), "utf8");
    const { stdout } = await ranToEnd(locateRuntime("bun").file, ["-e", program, text]);
    const steps = JSON.parse(stdout) as { readonly name?: string; readonly run?: string }[];
    const scriptOf = (name: string) => steps.find((step) => step.name === name)!.run!;

    for (const run of ["reference-kv-intel-6-207", "reference-routes-intel-6-207"]) {
      const temp = join(folder, run);
      mkdirSync(temp);
      await sh(scriptOf("Earlier nights"), temp);
      cpSync(join(PROJECT_ROOT, "results", run), join(temp, "site", "runs", run), { recursive: true });
      await sh(scriptOf("Publish"), temp);
      rmSync(temp, { recursive: true });
    }
    assert.equal((await sh("git rev-list --count canaries", folder, origin)).trim(), "1");
    const files = (await sh("git ls-tree -r --name-only canaries", folder, origin)).split("\n");
    for (const name of ["kv", "routes"]) assert.ok(files.includes(`runs/reference-${name}-intel-6-207/journal.ndjson`));
    const page = await sh("git show canaries:index.html", folder, origin);
    for (const name of ["kv", "routes"]) {
      assert.match(page, new RegExp(`(^|>)${name}: 1 run$`, "m"));
    }
  }));
