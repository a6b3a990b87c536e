import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { onSite, runsIn, startBench, toolTest } from "../run-bench.ts";

/** The commit checked out, where this is a git checkout. */
function head(): string | undefined {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: PROJECT_ROOT, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined;
  }
}

const commit = head();
const gitTest = commit === undefined ? test.skip : toolTest;

gitTest("another revision is measured in one run under its label, compared, and the run repeated", async () => {
  await onSite(async (site) => {
    const label = commit!.slice(0, 7);
    const matrix = ["--runtime", "bun", "--store", "map", "--size", "1k"];
    const args = ["run", "--quick", "--rounds", "1", "--warmup", "1s", ...matrix, "--against", "HEAD", "--json"];
    const ended = await startBench(site, args).ended;
    assert.equal(ended.code, 0, ended.stderr);
    const { run, cells, summary } = JSON.parse(ended.stdout);
    assert.deepEqual(run.against, { ref: "HEAD", commit, label });
    assert.deepEqual(
      cells.map(({ cell }: { cell: { label: string } }) => cell.label).sort(),
      ["aa", label, "main"].sort(),
    );
    assert.equal(summary.families.length, 1);
    assert.equal(summary.families[0].kind, "label");
    assert.equal(summary.families[0].comparisons[0].basis, "solo");
    const path = join(site.results, readdirSync(site.results)[0]!);
    assert.ok(readdirSync(join(path, "cells", "users")).includes(`bun,map,1k@${label}.json`));

    const compared = await startBench(site, ["compare", `${path}@${label}`, `${path}@main`, "--fail-on", "5%"]).ended;
    assert.equal(compared.code, 0, compared.stderr);
    assert.match(compared.stdout, /bun\/map\/1k .* no verdict: /);
    const again = await startBench(site, ["reproduce", path, "--json"]).ended;
    assert.equal(again.code, 3, "one round proves nothing");
    const { reproduced, sentence, comparisons, environment } = JSON.parse(again.stdout);
    assert.equal(reproduced, false);
    // How busy the machine was, which the grade tells, is its own affair.
    assert.deepEqual(environment.filter((text: string) => !text.startsWith("grade: ")), []);
    assert.match(sentence, /^Nothing could be compared: /);
    assert.deepEqual(comparisons.map(({ outcome }: { outcome: string }) => outcome), ["unknown"]);
    const held = await startBench(site, ["reproduce", path, "--with", runsIn(site)[1]!]).ended;
    assert.equal(held.code, 3, held.stderr);
    assert.match(held.stdout, /^(The environments are the same\.|Their environments differ in .*)$/m);
    assert.ok(held.stdout.endsWith(`${sentence}\n`), held.stdout);
    const [earlier, later] = readdirSync(site.results).sort().map((name) =>
      JSON.parse(readFileSync(join(site.results, name, "run.json"), "utf8"))
    );
    assert.deepEqual([later.against, later.plan], [earlier.against, earlier.plan], "it is repeated with its revision");
    const judged = ["run", "--quick", ...matrix, "--against", "HEAD", "--dry-run", "--json"];
    const planned = JSON.parse((await startBench(site, judged).ended).stdout).plan;
    const together = planned.ensembles[0].cells.map((place: number) => planned.cells[place].label);
    assert.deepEqual(together.toSorted(), ["aa", label, "main"].toSorted(), "with rounds enough they share a core");
    const unknown = await startBench(site, ["run", ...matrix, "--against", "no-such-branch"]).ended;
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /git knows no revision "no-such-branch"/);
  });
});
