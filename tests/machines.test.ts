/** Runs of several machines on the command line: held against each other, and `reference` found by the kind of CPU. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { thisCpuKind } from "../bench/machine/this-machine.ts";
import { type MadeUpRun, makeFixture, makeOddFixture } from "./fixtures/made-up-run.ts";
import { writeRun } from "../lab/write-run.ts";
import { benchHere } from "./command-line.ts";
import { onSite, type Site } from "./run-bench.ts";

const SMALL = { sizes: [10_000], stores: ["map", "sqlite"], rounds: 4 };

/** Puts a made-up run into the folder of runs as a machine of some kind would have. */
function put({ results }: Site, name: string, cpu_kind: string, { run, lines }: MadeUpRun = makeFixture(SMALL)): void {
  writeRun(join(results, name), { run: { ...run, run: name, machine: { ...run.machine, cpu_kind } }, lines });
}

test("several runs in Markdown say what holds on their machines, and what is no question is refused in words", async () => {
  await onSite(async (site) => {
    put(site, "a", "amd-25-1");
    put(site, "b", "intel-6-207");
    put(site, "same", "amd-25-1");
    put(site, "odd", "intel-6-207", makeOddFixture({ rounds: 4 }));
    const told = await benchHere(site, ["report", "a", "b", "--format", "markdown"]);
    assert.equal(told.code, 0, told.stderr);
    assert.match(
      told.stdout,
      /^\*\*(\d+) of \1 verdicts hold on both machines; .*ratios move by up to 1\.00 ×\.\*\*\n/,
    );
    assert.match(told.stdout, /^\| deno over node \(Runtime\), map, 10k users \|/m);
    const page = await benchHere(site, ["report", "a", "b", "--output", join(site.folder, "page.html")]);
    assert.equal(page.code, 0, page.stderr);
    assert.match(readFileSync(join(site.folder, "page.html"), "utf8"), /<h2 id="across-title">Between machines<\/h2>/);
    for (
      const [words, error] of [
        [["a", "odd", "--format", "markdown"], /but they are runs of different suites: users and odd\n/],
        [
          ["a", "same", "--format", "markdown"],
          /but they were all made on one kind of CPU: amd-25-1\n {2}try: bench comp/,
        ],
        [["a", "b", "--format", "csv"], /--format csv takes one run\n/],
      ] as const
    ) {
      const refused = await benchHere(site, ["report", ...words]);
      assert.equal(refused.code, 2, refused.stdout);
      assert.match(refused.stderr, error);
    }
  });
});

test("reference is this machine's, else another's and stderr says which", async () => {
  await onSite(async (site) => {
    const none = await benchHere(site, ["show", "reference"]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /there is no reference run in /);
    put(site, "reference-a-0-0", "a-0-0");
    const other = await benchHere(site, ["show", "reference"]);
    assert.match(other.stderr, /taking "reference-a-0-0", of another kind of CPU/);
    assert.match(other.stdout, /^NEXT {5}/m);
    const own = `reference-${thisCpuKind()}`;
    put(site, own, thisCpuKind());
    const here = await benchHere(site, ["show", "reference"]);
    assert.equal(here.stderr, "");
    assert.match(here.stdout, /^NEXT {5}/m);
    const both = await benchHere(site, ["compare", "reference-a-0-0", "reference"]);
    assert.equal(both.code, 0, both.stderr);
    assert.match(both.stdout, new RegExp(`unlike CPUs \\(a-0-0 and ${thisCpuKind()}\\)`));
  });
});
