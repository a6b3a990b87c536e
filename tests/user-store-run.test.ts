/** A store of one's own through a real benchmark. Called in process, which costs no load generator. */
import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { benchHere } from "./command-line.ts";
import { undisturbed } from "./contended.ts";
import { bench, runsIn, siteTest } from "./run-bench.ts";
import { momentaryPlan } from "./whole-run.ts";

siteTest("a store in a file is measured, and verify asks for nothing but the run", async (site) => {
  const file = join(site.folder, "mine.ts");
  const map = JSON.stringify(join(PROJECT_ROOT, "stores", "map.ts"));
  writeFileSync(file, `import { driver as map } from ${map};\nexport default { ...map, layout: "mine-1" };\n`);
  const words = ["--runtime", "node", "--store", "./mine.ts", "--size", "1k", "--generator", "in-process"];
  const plan = await momentaryPlan(site, [...words, "--rounds", "1"]);
  const ended = await bench(site, ["run", "--plan", plan, "--json"]);
  assert.ok(ended.stdout.startsWith("{"), ended.stderr);
  const { run, cells } = JSON.parse(ended.stdout);
  assert.deepEqual(cells.map(({ name }: { name: string }) => name), ["node/mine/1k"]);
  undisturbed(cells);
  const files = run.files.find(({ title }: { title: string }) => title === "mine, 1k users");
  assert.equal(files.request.module, file);
  const [name] = runsIn(site) as [string];
  for (const change of ["", "// changed\n"]) {
    appendFileSync(file, change);
    const verified = await benchHere(site, ["verify", name]);
    assert.deepEqual([verified.code, verified.stderr], [0, ""], verified.stdout);
  }
});
