import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { publish } from "../../core/result/published.ts";
import { makeFixture } from "../fixture.ts";
import { readLeanLine } from "../evidence.ts";
import type { RunFiles } from "../shown-run.ts";
import { EXPORTS } from "./registry.ts";

/** A small run with a cell the generator limited and one that is not ok. */
function filesOf(): RunFiles {
  const { run, lines } = makeFixture({
    sizes: [10_000, 1_000_000],
    stores: ["map", "drizzle"],
    runtimes: ["node", "bun"],
  });
  const { cards, summary } = publish(run, lines);
  return { run, summary, cells: cards, lines: lines.map((line) => JSON.stringify(line)) };
}

const files = filesOf();
const render = (name: string) => EXPORTS[name]!.render(files);

for (const [name, { extension }] of Object.entries(EXPORTS)) {
  test(`the ${name} export reads as its golden file (LEVELFIELD_UPDATE_GOLDEN=1 writes it anew)`, () => {
    const golden = fileURLToPath(new URL(`golden/${name}.${extension}`, import.meta.url));
    const text = render(name);
    if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
}

test("CSV has one row a trial, each as wide as the head, and rates that read back exactly", () => {
  const [head, ...rows] = render("csv").trimEnd().split("\r\n").map((row) => row.split(","));
  const trials = files.lines.map((line) => readLeanLine(line).record).filter((line) =>
    line.schema === "levelfield.trial/1"
  );
  assert.equal(rows.length, trials.length);
  assert.ok(rows.every((row) => row.length === head!.length));
  const column = head!.indexOf("requests_per_second");
  assert.deepEqual(rows.map((row) => Number(row[column])), trials.map((trial) => trial.load!.requests_per_second));
});

test("cells that may not be ranked are nowhere offered as plain rates", () => {
  const named = (name: string): string[] => JSON.parse(render(name)).map((entry: { name: string }) => entry.name);
  assert.ok(!named("github-action-benchmark").includes("bun/map/10k"), "generator-bound");
  assert.ok(!named("github-action-benchmark").includes("node/drizzle/1m"), "invalid");
  assert.match(render("markdown"), /≥ .* \(generator-bound\)/);
  assert.match(render("markdown"), /\(invalid\)/);
  assert.doesNotMatch(render("hyperfine"), /bun\/map\/10k/);
});

test("hostile text stays inside its field in every export", () => {
  const hostile = 'a"b|c\n<script>,d\\';
  const cells = files.cells.map((card) => ({ ...card, label: hostile }));
  const spoilt: RunFiles = { ...files, cells, run: { ...files.run, run: hostile } };
  assert.doesNotMatch(EXPORTS["markdown"]!.render(spoilt), /<script/);
  const prometheus = EXPORTS["prometheus"]!.render(spoilt);
  assert.ok(prometheus.split("\n").every((line) => line === "" || /^(# |levelfield_\w+\{.*\} \S+$)/.test(line)));
  assert.equal(EXPORTS["csv"]!.render(spoilt).split("\r\n").length, EXPORTS["csv"]!.render(files).split("\r\n").length);
});

/** A tool on the path or where Go puts what it builds; undefined when it is not installed. */
function toolOf(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), join(homedir(), "go", "bin")];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

const benchstat = toolOf("benchstat");
(benchstat === undefined ? test.skip : test)("benchstat reads its export and tells runtimes apart", () => {
  const table = execFileSync(benchstat!, ["-col", "/runtime", "-filter", ".unit:req/s", "-"], {
    input: render("benchstat"),
    encoding: "utf8",
  });
  assert.match(table, /node.*bun/s);
  assert.match(table, /\+\d+\.\d+%/);
});

const promtool = toolOf("promtool");
(promtool === undefined ? test.skip : test)("promtool finds no fault in the Prometheus export", () => {
  const said = execFileSync(promtool!, ["check", "metrics"], { input: render("prometheus"), encoding: "utf8" });
  assert.equal(said.trim(), "");
});
