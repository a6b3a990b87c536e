/** `bench compare` over folders of real runs: those of results/, copies, and what is none. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { benchHere } from "./command-line.ts";
import { onSite } from "./run-bench.ts";

const RESULTS = fileURLToPath(new URL("../results/", import.meta.url));
const kinds = ["intel-6-207", "amd-26-2", "amd-25-17"];

test("runs of results/ in a row: unlike CPUs are changes, three runs prove no step, a damaged one is named", () =>
  onSite(async (site) => {
    const folder = join(site.folder, "nightly");
    for (const kind of kinds) cpSync(join(RESULTS, `reference-${kind}`), join(folder, kind), { recursive: true });
    cpSync(join(folder, kinds[0]!), join(folder, "copy"), { recursive: true });
    const whole = await benchHere(site, ["compare", folder, "--all"]);
    assert.equal(whole.code, 0, whole.stderr);
    assert.match(whole.stdout, /^users: 3 runs\n/);
    assert.match(whole.stdout, /machine: cpu_kind: "amd-26-2" -> "amd-25-17"/);
    assert.match(whole.stdout, /\nNo step is proven: it takes three runs a side, on one kind of CPU\.\n/);
    mkdirSync(join(folder, "damaged"));
    writeFileSync(join(folder, "damaged", "run.json"), "{");
    const file = join(site.folder, "track.html");
    const json = await benchHere(site, ["compare", folder, "--json", "--output", file]);
    assert.equal(json.code, 3, json.stderr);
    assert.match(json.stderr, /left out: nightly\/damaged: .*damaged/);
    const { tracks: [track] } = JSON.parse(json.stdout);
    assert.deepEqual(track.cells[0].steps, []);
    for (const values of Object.values<(number | null)[]>(track.cells[0].figures)) assert.equal(values.length, 3);
    assert.match(readFileSync(file, "utf8"), /^<!doctype html>.*users/s);
  }));
