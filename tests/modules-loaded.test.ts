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

/** What no quick answer needs: conductors, generators, pages and what draws them. */
const HEAVY = /^bench\/(observe|engine|generators|page|exports)\/|plot|resvg/;

/** Lines with what they load for their answer, and must not load besides what is heavy. */
const LINES: readonly (readonly [line: readonly string[], loads: string, never: RegExp])[] = [
  ...[["--help"], ["help"], []].map((line) =>
    [line, "bench/options/commands.ts", /^suites\/|\/zod\/|cephes|^node:child_process$/] as const
  ),
  [["run", "--help"], "suites/registry.ts", /\/zod\/|cephes/],
  [["list"], "suites/registry.ts", /\/zod\/|cephes|^bench\/(result|statistics)\//],
  [["show", "--list"], "bench/record/summary.ts", /^(suites|stores)\/|^bench\/(statistics|judge)\/|cephes/],
  [["show", "reference"], "bench/runs/published-run.ts", /^(suites|stores)\//],
];

for (const [line, loads, never] of LINES) {
  test(`bench ${line.join(" ")} loads what its answer needs, and nothing that measures or draws`, () => {
    const modules = modulesOf(...line);
    assert.deepEqual(modules.filter((module) => HEAVY.test(module) || never.test(module)), []);
    assert.ok(modules.includes(loads), modules.join("\n"));
    if (loads !== "bench/options/commands.ts") return;
    // Counting columns takes seven modules of packages, of a few lines each.
    for (const [folder, most] of [["bench/", 41], ["node_modules/", 9]] as const) {
      const some = modules.filter((module) => module.startsWith(folder));
      assert.ok(some.length <= most, `${some.length} of ${folder}:\n${some.join("\n")}`);
    }
  });
}
