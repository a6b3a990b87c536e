/** The example of docs/adding-a-suite.md, as it stands there, in a copy of the project. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { exitOf, undisturbed } from "./contended.ts";
import { bench, onSite, type PlannedCell, shortened } from "./run-bench.ts";

const DOC = readFileSync(join(PROJECT_ROOT, "docs", "adding-a-suite.md"), "utf8");

/** The suite plans both of its forms, and those that are kept run as they are named. */
export async function documentedSuiteRuns(
  keeps: (cell: PlannedCell) => boolean,
  names: readonly string[],
): Promise<void> {
  const code = /<!-- example:begin -->\s*```ts\n([\s\S]*?)```/.exec(DOC)?.[1];
  assert.ok(code !== undefined, "the example is not between its marks");
  assert.ok(code.trim().split("\n").length < 40, `${code.trim().split("\n").length} lines`);
  await onSite(async (site) => {
    const copy = join(site.folder, "project");
    const files = ["package.json", "package-lock.json", "deno.json", "bunfig.toml"];
    for (const part of ["bench", "suites", "servers", "stores", "bin", ...files]) {
      cpSync(join(PROJECT_ROOT, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(PROJECT_ROOT, "node_modules"), join(copy, "node_modules"));
    mkdirSync(join(copy, "suites", "hello"));
    writeFileSync(join(copy, "suites", "hello", "suite.ts"), code);
    const registry = join(copy, "suites", "registry.ts");
    const text = readFileSync(registry, "utf8");
    const changed = `import { suite as hello } from "./hello/suite.ts";\n${text}`
      .replace(/(SUITES: readonly Suite\[\] = \[[^\]]*?),?\s*\]/, "$1, hello]");
    assert.ok(changed.includes(", hello]"), "the registry has another form");
    writeFileSync(registry, changed);

    const here = (...args: string[]) => bench(site, ["run", ...args, "--json"], {}, join(copy, "bin", "bench"));
    const short = ["--runtime", "bun", "--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone"];
    const planned = await here("hello", ...short, "--dry-run");
    assert.equal(planned.code, 0, planned.stderr);
    const printed = JSON.parse(planned.stdout);
    const forms = printed.plan.cells.map(({ point }: PlannedCell) => point.at["form"]);
    assert.deepEqual([...new Set(forms)].sort(), ["json", "text"]);
    const ended = await here("--plan", shortened(site, printed, keeps));
    assert.ok(ended.stdout.startsWith("{"), ended.stderr);
    const { cells } = JSON.parse(ended.stdout);
    assert.deepEqual(cells.map(({ name }: { name: string }) => name).sort(), names);
    undisturbed(cells);
    assert.equal(ended.code, exitOf(cells), ended.stderr);
  });
}
