/** The pair of jobs for Kubernetes, held against the types of its published API: no cluster has run it here. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { readYaml } from "./read-yaml.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";

const FILE = join(PROJECT_ROOT, "examples", "kubernetes", "pair.yaml");

/** Lines in which the compiler speaks of each file of documents as jobs; an unknown key is an error in a literal. */
function compiled(files: Readonly<Record<string, readonly unknown[]>>): Promise<Readonly<Record<string, string[]>>> {
  return inTemporaryFolder(async (folder) => {
    symlinkSync(join(PROJECT_ROOT, "node_modules"), join(folder, "node_modules"));
    for (const [file, jobs] of Object.entries(files)) {
      const text = JSON.stringify(jobs);
      const code = `import type { Job } from "kubernetes-types/batch/v1";\nexport const jobs: Job[] = ${text};\n`;
      writeFileSync(join(folder, file), code);
    }
    const options = { module: "nodenext", strict: true, noEmit: true, types: [] };
    const config = { compilerOptions: options, files: Object.keys(files) };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { stdout } = await ranToEnd(join(PROJECT_ROOT, "node_modules", ".bin", "tsc"), [
      "-p",
      folder,
      "--singleThreaded",
    ], folder);
    const lines = stdout.split("\n").filter((line) => line !== "");
    const of = (file: string) => lines.filter((line) => line.startsWith(`${file}(`));
    const about = Object.fromEntries(Object.keys(files).map((file) => [file, of(file)]));
    assert.ok(lines.every((line) => /^\s|^\w+\.ts\(/.test(line)), stdout);
    return about;
  });
}

interface Pod {
  readonly containers: readonly {
    readonly resources: Readonly<Record<"requests" | "limits", Readonly<Record<string, string>>>>;
  }[];
}

test("the jobs are what the published API knows, and ask for whole CPUs and no more", async () => {
  const text = readFileSync(FILE, "utf8");
  const [jobs, wrong] = await readYaml<unknown[]>(text, text.replace("backoffLimit", "backofLimit"));
  assert.equal(jobs!.length, 2);
  const said = await compiled({ "jobs.ts": jobs!, "wrong.ts": wrong! });
  assert.deepEqual(said["jobs.ts"], []);
  assert.match(said["wrong.ts"]!.join("\n"), /error .*backofLimit/);
  for (const job of jobs!) {
    const { containers } = (job as { spec: { template: { spec: Pod } } }).spec.template.spec;
    for (const { resources: { requests, limits } } of containers) {
      assert.deepEqual(requests, limits, "a pod is Guaranteed only so");
      assert.match(requests["cpu"]!, /^\d+$/, "part of a CPU is nobody's own");
    }
  }
});
