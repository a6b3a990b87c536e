/** What a command loads before it answers, counted in modules: time depends on the machine. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";

/** Writes every module Node loads to stderr, each in a line that nothing else writes. */
const TELL = `data:text/javascript,import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { process.stderr.write("loads " + url + "\\n"); return next(url, context); } });`;

/** Modules a command line loads, as paths from the project's folder. */
function modulesOf(...line: readonly string[]): string[] {
  const { status, stderr } = spawnSync(
    locateRuntime("node").file,
    ["--import", TELL, join(PROJECT_ROOT, "bench", "main.ts"), "--no-config", ...line],
    { encoding: "utf8", env: { PATH: process.env["PATH"], NO_COLOR: "1" } },
  );
  assert.equal(status, 0, stderr);
  const root = pathToFileURL(PROJECT_ROOT).href;
  const loaded = stderr.split("\n").flatMap((line) => /^loads (.+)$/.exec(line)?.[1] ?? []);
  assert.ok(loaded.includes(`${root}bench/command-line.ts`), stderr);
  return loaded.map((url) => url.replace(root, ""));
}

const loadedOf = (modules: readonly string[], pattern: RegExp) => modules.filter((module) => pattern.test(module));

/** What no quick answer needs: conductors, generators, pages and what draws them. */
const HEAVY = /^bench\/(observe|engine|generators|page|exports)\/|plot|resvg/;

test("help loads the option table and how to print it: no suite, no schema, no process", () => {
  for (const line of [["--help"], ["help"], []]) {
    const modules = modulesOf(...line);
    assert.deepEqual(loadedOf(modules, HEAVY), []);
    assert.deepEqual(loadedOf(modules, /^suites\/|\/zod\/|cephes|^node:child_process$/), []);
    assert.ok(modules.length <= 50, modules.join("\n"));
  }
});

test("help of a command loads suites for the options of their axes, and no schema", () => {
  const modules = modulesOf("run", "--help");
  assert.deepEqual(loadedOf(modules, HEAVY), []);
  assert.deepEqual(loadedOf(modules, /\/zod\/|cephes/), []);
  assert.ok(modules.includes("suites/registry.ts"));
});

test("list loads suites, and nothing that measures, checks or draws", () => {
  const modules = modulesOf("list");
  assert.deepEqual(loadedOf(modules, HEAVY), []);
  assert.deepEqual(loadedOf(modules, /\/zod\/|cephes|^bench\/(result|statistics)\//), []);
  assert.ok(modules.includes("suites/registry.ts"));
});

test("show --list loads how to read a run and its summary, and nothing that measures, judges or draws", () => {
  const modules = modulesOf("show", "--list");
  assert.deepEqual(loadedOf(modules, HEAVY), []);
  assert.deepEqual(loadedOf(modules, /^(suites|stores)\/|^bench\/(statistics|judge)\/|cephes/), []);
  assert.ok(modules.includes("bench/record/summary.ts"));
});

test("show loads how to read a run and print it, and nothing that measures or draws", () => {
  const modules = modulesOf("show", "reference");
  assert.deepEqual(loadedOf(modules, HEAVY), []);
  assert.deepEqual(loadedOf(modules, /^(suites|stores)\//), []);
  assert.ok(modules.includes("bench/runs/published-run.ts"));
});
