import assert from "node:assert/strict";
import { MAIN } from "../../bench/record/cell.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import { exitOf, undisturbed } from "../contended.ts";
import { bench, onSite, toolTest, withCells } from "../run-bench.ts";
import { assertSound, linesIn, SMALL, trialsIn } from "../whole-run.ts";

toolTest("requests for nobody are answered as such and make no fault", async () => {
  await onSite(async (site) => {
    const args = ["--runtime", "node", "--store", "map", "--duration", "1s", "--miss-share", "0.3", "--json"];
    const planned = await bench(site, ["run", ...SMALL, ...args, "--dry-run"]);
    const file = withCells(site, JSON.parse(planned.stdout), ({ label }) => label === MAIN);
    const ended = await bench(site, ["run", "--plan", file, "--json"]);
    const trials = trialsIn(site) as [Observation];
    assert.equal(ended.code, exitOf(trials), ended.stderr + ended.stdout);
    assertSound(trials[0]);
    const ceiling = linesIn(site).find(({ kind }) => kind === "ceiling")!;
    undisturbed([ceiling]);
    const { load } = trials[0];
    const share = load!.errors.expected_status / load!.requests;
    assert.ok(share > 0.27 && share < 0.33, `${share}`);
    assert.equal(load!.errors.status, load!.errors.expected_status);
  });
});
