/** The examples of the library are whole programs: they are type-checked as a stranger would, and run. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { thisCpuKind } from "../bench/machine/this-machine.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { ENTRIES, libraryExamples, withExamples } from "./library-examples.ts";
import { ranToEnd } from "./testing.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const examples = libraryExamples();

test("every function and value the library exports is shown in an example", async () => {
  const shown = examples.map(({ code }) => code).join("\n");
  for (const entry of Object.values(ENTRIES)) {
    const names = Object.keys(await import(pathToFileURL(join(ROOT, entry)).href));
    assert.ok(names.length > 10, `${entry} exports ${names.length} things only`);
    assert.deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(shown)), []);
  }
});

test("the library's page begins with a use of ten lines or less", () => {
  const [first] = examples.filter(({ where }) => where.startsWith("docs/library.md:"));
  assert.match(first!.code, /for await \(const event of run\(/);
  assert.ok(first!.code.trim().split("\n").length <= 10, first!.code);
});

test("every example passes the type check of a strict project", async () => {
  await withExamples(examples, async (folder) => {
    const config = {
      extends: "../../tsconfig.json",
      include: ["*.ts", "../../bench/**/*.d.ts", "../../stores/**/*.d.ts"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    // What it found of the library last time is kept, as in the gate's step "types".
    const kept = ["--incremental", "--tsBuildInfoFile", join(ROOT, ".data", "examples.tsbuildinfo")];
    const args = ["-p", folder, "--singleThreaded", ...kept];
    const tsc = await ranToEnd(join(ROOT, "node_modules/.bin/tsc"), args, folder);
    assert.equal(tsc.code, 0, tsc.stdout + tsc.stderr);
  });
});

test("every example that measures nothing runs and finds what it says", async () => {
  const still = examples.filter(({ measures }) => !measures);
  assert.ok(still.length > 20, `only ${still.length} examples were found`);
  await withExamples(still, async (folder, files) => {
    const main = join(folder, "main.ts");
    const steps = files.map((file, n) =>
      `try { await import(${JSON.stringify(pathToFileURL(file).href)}); } ` +
      `catch (error) { console.error(${JSON.stringify(still[n]!.where)}, error); process.exitCode = 1; }`
    );
    writeFileSync(main, steps.join("\n"));
    // A short run stands for the one that examples call `reference`.
    mkdirSync(join(folder, "results"));
    const reference = join(folder, "results", `reference-${thisCpuKind()}`);
    symlinkSync(join(ROOT, "results", "reference-kv-intel-6-207"), reference);
    const { code, stderr } = await ranToEnd(locateRuntime("node").file, [main], folder);
    assert.equal(code, 0, stderr);
  });
});
