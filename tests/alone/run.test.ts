/** Whole runs: what they publish, and what one that is stopped has to say. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { THRESHOLDS } from "../../bench/judge/thresholds.ts";
import { AA } from "../../bench/record/cell.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { exitCodeOf, soundOf } from "../by-structure.ts";
import {
  bench,
  descendant,
  descendantsOf,
  isRunning,
  runsIn,
  shortened,
  siteTest,
  startBench,
  toolTest,
  until,
} from "../run-bench.ts";
import { smallRun } from "../small-run.ts";
import { assertGivenUp, assertPlain, linesIn, LOAD, printed } from "../whole-run.ts";

toolTest("a small run publishes cells, files and figures that hold together; what is cut off is found", () =>
  smallRun({
    // The others in tests/long.
    keep: ({ label, point: { at } }) => label === AA || at["store"] === (at["runtime"] === "node" ? "sqlite" : "map"),
    count: 4,
    sound: soundOf,
    exitOf: exitCodeOf,
    check({ latency, members }) {
      const gap = latency!.littles_law_gap!;
      const what = JSON.stringify(members[0]!.cell.point.at);
      assert.ok(gap <= THRESHOLDS.littlesLawGap && gap > -1, `${what}: ${gap}`);
    },
  }));

siteTest("a run stopped by Ctrl-C after a round is verified and answered, and goes on", async (site) => {
  const args = ["--duration", "1s", "--warmup", "1s", "--seed", "7"];
  const servers = ["--runtime", "node,bun", "--store", "map", "--size", "1k"];
  const rounds = ["--rounds", String(thresholds.leastRounds.value)];
  const planned = await bench(site, ["run", ...rounds, ...args, ...servers, "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  const whole = JSON.parse(planned.stdout);
  // Fewer than verdicts need: what is decided rests on noise.
  whole.plan.rounds = whole.plan.ensembles[0].rounds = 2;
  const running = startBench(site, ["run", "--plan", shortened(site, whole)]);
  const inFirst = (lines: readonly Observation[]) => lines.filter(({ round }) => round === 0).length;
  await until("the first round", () => inFirst(linesIn(site)) === 1, running);
  await until("the next load", () => descendant(running.pid, LOAD), running);
  const children = descendantsOf(running.pid);
  process.kill(-running.pid, "SIGINT");
  const stopped = await running.ended;
  assert.equal(stopped.code, 130, stopped.stderr);
  assertPlain(stopped);
  for (const { pid, command } of children) assert.ok(!isRunning(pid), command);
  const lines = linesIn(site);
  assert.deepEqual(lines.map(({ kind }) => kind), ["ensemble"]);
  const ensemble = lines[0]!;
  assert.deepEqual(ensemble.members.map(({ cell }) => cell.label).sort(), ["aa", "main", "main"]);
  for (const { members } of soundOf([ensemble])) {
    for (const { warmup, alone, cpu_ns, requests, cpu_ns_per_request } of members) {
      assert.equal(warmup!.ended, "planned");
      const { load, latency } = alone!;
      assert.ok(load === null || load.requests > 0 && latency!.p50_us! <= latency!.p99_us!);
      assert.ok(Math.abs(cpu_ns_per_request! / (cpu_ns! / requests!) - 1) < 1e-9);
    }
  }

  const [name] = runsIn(site) as [string];
  assertGivenUp(site, name);
  const verified = await bench(site, ["verify", name]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.match(stopped.stdout, /^NO ANSWER {2}./m);
  const page = join(site.folder, "report.html");
  const reported = await bench(site, ["report", name, "--output", page]);
  assert.equal(reported.code, 0, reported.stderr);
  assert.match(readFileSync(page, "utf8"), /No answer: ./);

  const resumed = await bench(site, ["run", "--resume", name, "--json"]);
  const { run, summary } = printed.parse(JSON.parse(resumed.stdout));
  assert.equal(run.state, "finished", resumed.stderr);
  assert.deepEqual(linesIn(site).map(({ kind, round, alone }) => `${round} ${kind} ${alone}`).toSorted(), [
    "0 ensemble true",
    "1 ensemble false",
  ]);
  const [family] = summary.families;
  assert.deepEqual(family!.comparisons.map(({ basis }) => basis), ["together"]);
  assert.equal((await bench(site, ["verify", name])).code, 0);
});
