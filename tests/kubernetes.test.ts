/** The pair of jobs for Kubernetes, held against the types of its published API: no cluster has run it here. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { locateRuntime, PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";

const FILE = join(PROJECT_ROOT, "examples", "kubernetes", "pair.yaml");

/** Documents of a YAML file, as Bun reads them. */
async function documents(text: string): Promise<unknown[]> {
  const code = "console.log(JSON.stringify(Bun.YAML.parse(process.argv.at(-1))))";
  const { code: exit, stdout, stderr } = await ranToEnd(locateRuntime("bun").file, ["-e", code, text]);
  assert.equal(exit, 0, stderr);
  return JSON.parse(stdout);
}

/** What the compiler says of documents as jobs; an unknown key is an error in a literal. */
function compiled(jobs: readonly unknown[]): Promise<{ readonly code: number | null; readonly stdout: string }> {
  return inTemporaryFolder(async (folder) => {
    symlinkSync(join(PROJECT_ROOT, "node_modules"), join(folder, "node_modules"));
    const code = `import type { Job } from "kubernetes-types/batch/v1";\nexport const jobs: Job[] = ${
      JSON.stringify(jobs)
    };\n`;
    writeFileSync(join(folder, "jobs.ts"), code);
    const options = { module: "nodenext", strict: true, noEmit: true, types: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["jobs.ts"] }));
    return await ranToEnd(join(PROJECT_ROOT, "node_modules", ".bin", "tsc"), ["-p", folder], folder);
  });
}

interface Pod {
  readonly containers: readonly {
    readonly resources: Readonly<Record<"requests" | "limits", Readonly<Record<string, string>>>>;
  }[];
}

test("the jobs are what the published API knows, and ask for whole CPUs and no more", async () => {
  const text = readFileSync(FILE, "utf8");
  const jobs = await documents(text);
  assert.equal(jobs.length, 2);
  const { code, stdout } = await compiled(jobs);
  assert.equal(code, 0, stdout);
  for (const job of jobs) {
    const { containers } = (job as { spec: { template: { spec: Pod } } }).spec.template.spec;
    for (const { resources: { requests, limits } } of containers) {
      assert.deepEqual(requests, limits, "a pod is Guaranteed only so");
      assert.match(requests["cpu"]!, /^\d+$/, "part of a CPU is nobody's own");
    }
  }
  const wrong = await compiled(await documents(text.replace("backoffLimit", "backofLimit")));
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.stdout, /backofLimit/);
});
