/** Functions of a module of one's own through a real benchmark; those of stores and drivers, and other runtimes, with --all. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchHere } from "./command-line.ts";
import { bench, runsIn, siteTest } from "./run-bench.ts";
import { linesIn, momentaryPlan } from "./whole-run.ts";

siteTest("functions of a module are called, and what they cost is counted", async (site) => {
  writeFileSync(
    join(site.folder, "mine.mjs"),
    `export const inputs = [3, 5, 7];
       export const sum = (n) => { let all = 0; for (let k = 0; k < 1000; k++) all += k % n; return all; };`,
  );
  const plan = await momentaryPlan(site, ["--function", "./mine.mjs", "--runtime", "node", "--rounds", "1"]);
  const ended = await bench(site, ["run", "--plan", plan]);
  const [run] = runsIn(site);
  assert.ok(run !== undefined, ended.stderr);
  const verified = await benchHere(site, ["verify", run]);
  assert.equal(verified.code, 0, verified.stdout);
  const lines = linesIn(site);
  assert.deepEqual(lines.map(({ kind }) => kind), ["solo"]);
  for (const { marks, load, latency, bound, beside, members } of lines) {
    const [member] = members;
    const name = `${JSON.stringify(member!.cell.point.at)}: ${JSON.stringify(marks)}`;
    assert.ok(member!.requests === load!.requests && load!.requests > 0 && member!.cpu_ns_per_request! > 0, name);
    assert.deepEqual([load!.calls, latency, load!.reply_bytes], [true, null, null], name);
    assert.ok(["server", "neither"].includes(bound), name);
    assert.ok(beside![0]!.asked > 0 && beside![0]!.wrong.length === 0, name);
    const codes = [...marks, ...member!.marks].map(({ code }) => code);
    assert.deepEqual(codes.filter((code) => code !== "contended" && code !== "clock-changed"), [], name);
  }
});

siteTest("a suite without functions and a generator that sends are refused for functions", async (site) => {
  const refused = await benchHere(site, ["run", "routes", "--generator", "in-process"]);
  assert.match(refused.stderr, /suite "routes" has no functions to call/);
  const sent = await benchHere(site, ["run", "calls", "--generator", "wrk"]);
  assert.match(sent.stderr, /nothing is sent: --generator in-process/);
});
