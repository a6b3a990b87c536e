/** A store of one's own through a real benchmark, beside one of the project. */
import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MAIN } from "../../bench/record/cell.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { undisturbed } from "../contended.ts";
import { bench, onSite, runsIn, shortRun, toolTest } from "../run-bench.ts";

toolTest("a file is measured beside a store of the project, and verify asks for nothing but the run", async () => {
  await onSite(async (site) => {
    const file = join(site.folder, "mine.ts");
    const map = JSON.stringify(join(PROJECT_ROOT, "stores", "map.ts"));
    writeFileSync(file, `import { driver as map } from ${map};\nexport default { ...map, layout: "mine-1" };\n`);
    const short = ["--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone"];
    const args = ["--runtime", "node", "--store", "./mine.ts,map", "--size", "1k", ...short];
    const ended = await shortRun(site, args, ({ label }) => label === MAIN);
    assert.ok(ended.stdout.startsWith("{"), ended.stderr);
    const { run, cells } = JSON.parse(ended.stdout);
    assert.deepEqual(cells.map(({ name }: { name: string }) => name).sort(), ["node/map/1k", "node/mine/1k"]);
    undisturbed(cells);
    const files = run.files.find(({ title }: { title: string }) => title === "mine, 1k users");
    assert.equal(files.request.module, file);
    const [name] = runsIn(site) as [string];
    const verified = await bench(site, ["verify", name]);
    assert.equal(verified.code, 0, verified.stdout);
    assert.equal(verified.stderr, "");
    appendFileSync(file, "// changed\n");
    const again = await bench(site, ["verify", name]);
    assert.equal(again.code, 0, again.stdout);
    assert.equal(again.stderr, "");
  });
});
