/** A bisection up to its first load, stopped, and gone on with from steps that were written for it; tests/long measures a step. */
import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { bisectionSchema } from "../../bench/record/bisection.ts";
import { APP } from "../gate-repository.ts";
import { bench, descendant, runsIn, siteTest, startBench, until } from "../run-bench.ts";
import { LOAD } from "../whole-run.ts";

siteTest(
  "versions that do not start are stepped over, and the command goes on from the steps it kept",
  async (site) => {
    for (const n of [1, 2, 3, 4]) {
      const line = n === 2 ? "exit 7" : `exec '${locateRuntime("node").file}' "$@"`;
      writeFileSync(join(site.folder, `w${n}`), `#!/bin/sh\n# ${n}\n${line}\n`);
      chmodSync(join(site.folder, `w${n}`), 0o755);
    }
    writeFileSync(join(site.folder, "app.mjs"), APP("a", 0));
    const among = [1, 2, 3, 4].map((n) => `node=./w${n}`).join(",");
    const args = ["bisect", "--among", among, "--app", "./app.mjs", "--rounds", "3", "--warmup", "1s"];
    const running = startBench(site, args);
    await until("a load", () => descendant(running.pid, LOAD), running);
    running.child.kill("SIGINT");
    const stopped = await running.ended;
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.match(stopped.stderr, /^node=\S+w2 is stepped over: .* exit 7$/m);
    assert.match(stopped.stderr, /^3 steps ahead, about .* in all, more where one stays undecided$/m);
    assert.match(stopped.stderr, /^the same command goes on after 0 steps, kept in results\/bisect-\w+\.json$/m);
    assert.doesNotMatch(stopped.stderr, /bench run --resume/);
    const file = readdirSync(site.results).find((name) => name.startsWith("bisect-"))!;
    const path = join(site.results, file);
    const state = bisectionSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    assert.deepEqual([state.left_out.map(({ version }) => version), state.steps], [[1], []]);
    const [good, , middle, bad] = state.versions as [string, string, string, string];
    assert.match(stopped.stderr, new RegExp(`^step 1: .*w1 \\| .*w3 \\| .*w4$`, "m"));
    // As if it had been decided: the third is like the good end, the fourth is not.
    const one = (over: string, under: string, ratio: number) => ({
      ...{ over, under, basis: "together", rounds: 8, ratio, delta: 0.01, adjusted_p: 0.01, rounds_needed: null },
      ...{ verdict: ratio > 1.1 ? "faster" : "equivalent", smallest_detectable: 0.01 },
      interval: { low: ratio - 0.01, high: ratio + 0.01, level: 0.95 },
    });
    const comparisons = [one(good, middle, 1), one(good, bad, 1.2), one(middle, bad, 1.2)];
    const run = runsIn(site).find((name) => !name.startsWith("bisect-"));
    const steps = [2, null].map((middle) => ({ run, rounds: 3, middle, comparisons }));
    writeFileSync(path, JSON.stringify({ ...state, steps }));
    const again = await bench(site, [...args, "--json"]);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /^2 steps made before; to begin anew remove results\/bisect-\w+\.json$/m);
    const { bisect } = JSON.parse(again.stdout);
    assert.deepEqual([bisect.finding, bisect.before, bisect.after], ["step", middle, bad]);
    writeFileSync(path, "{");
    assert.match((await bench(site, args)).stderr, /^error: ".*bisect-\w+\.json" is damaged$/m);
  },
);
