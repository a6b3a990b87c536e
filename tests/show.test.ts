/** What the terminal says of runs that are there already: `bench show`, cards, refusals. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { benchHere } from "./command-line.ts";
import { bench, onSite, type Site } from "./run-bench.ts";

const RESULTS = fileURLToPath(new URL("../results/", import.meta.url));
const references = readdirSync(RESULTS).filter((name) => name.startsWith("reference-"));

/** The reference runs in a folder of results of its own, and one run that is damaged. */
function withReferences({ results }: Site): void {
  mkdirSync(join(results, "damaged"), { recursive: true });
  writeFileSync(join(results, "damaged", "run.json"), "{");
  for (const name of references) symlinkSync(join(RESULTS, name), join(results, name));
}

test("a finished run is shown again: how sure first, then its answer, its table and what next", () =>
  onSite(async (site) => {
    withReferences(site);
    const wide = await bench(site, ["show", "reference"]);
    assert.equal(wide.code, 0, wide.stderr);
    const parts = ["ANSWER  ", "\nRUNTIME ", "\nRequests per CPU second, ", "\nNEXT "].map((text) =>
      wide.stdout.indexOf(text)
    );
    assert.ok(parts[0]! > 0, wide.stdout);
    assert.deepEqual(parts, parts.toSorted((a, b) => a - b), wide.stdout);
    const { stdout: every } = await benchHere(site, ["show", "reference", "--all"]);
    assert.match(every, / faster than \w+ by \d+\.\d\d× \[/);
    const { stdout: json } = await benchHere(site, ["show", "reference", "--json"]);
    assert.deepEqual(Object.keys(JSON.parse(json)), ["run", "summary", "cells"]);
  }));

test("runs are listed the newest first, each with what it says to take, those that are damaged with why", () =>
  onSite(async (site) => {
    withReferences(site);
    const { runs } = JSON.parse((await benchHere(site, ["show", "--list", "--json"])).stdout);
    assert.equal(runs.length, references.length + 1);
    const times = runs.flatMap(({ started_at }: { started_at?: string }) => started_at ?? []);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.match(runs.at(-1).fault, /damaged/);
    const { stdout, stderr } = await benchHere(site, ["show", "--list"]);
    assert.equal(stderr, "");
    for (const name of references) assert.ok(stdout.includes(name), name);
  }));

test("a card is written twice, as SVG and as PNG", () =>
  onSite(async (site) => {
    withReferences(site);
    const base = join(site.folder, "card");
    const { code, stderr } = await benchHere(site, ["report", "reference", "--card", "--output", `${base}.png`]);
    assert.equal(code, 0, stderr);
    assert.match(readFileSync(`${base}.svg`, "utf8"), /^<svg /);
    assert.deepEqual([...readFileSync(`${base}.png`).subarray(1, 4)], [80, 78, 71]);
  }));
