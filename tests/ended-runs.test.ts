/** Drivers that are killed or come second: nothing is left behind, and nothing is begun. What they measure is not looked at. */
import assert from "node:assert/strict";
import { benchHere } from "./command-line.ts";
import { RESTING } from "./fixtures/resting-suite.ts";
import { isRunning, runsIn, siteTest, startBench, toolTest, until } from "./run-bench.ts";
import { killedLeavesNothing, momentaryPlan } from "./whole-run.ts";

toolTest(
  "a driver that is killed leaves no server, no load generator and no builder",
  () => killedLeavesNothing("deno"),
);

siteTest("a run killed or stopped keeps its answer as of the rounds it made, and says how to go on", async (site) => {
  const plan = await momentaryPlan(site, [RESTING, "--rounds", "4"], 1_000);
  const told = (rounds: number) => `so far, after ${rounds} of 4 rounds (provisional): no answer yet: `;
  const killed = startBench(site, ["run", "--plan", plan]);
  await until("an answer of one round", () => killed.stderr().includes(told(1)), killed);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const [run] = runsIn(site);
  const shown = await benchHere(site, ["show"]);
  assert.match(shown.stdout, /provisional, as of 1 of 4 rounds: the run has not ended/);
  assert.match(shown.stdout, /^NO ANSWER {2}\S/m);
  assert.match(shown.stdout, new RegExp(`^NEXT +go on with it: +bench run --resume ${run}$`, "m"));

  const stopped = startBench(site, ["run", "--resume", run!, "--results", site.results]);
  await until("an answer of two rounds", () => stopped.stderr().includes(told(2)), stopped);
  process.kill(stopped.pid, "SIGTERM");
  const { code, stdout, stderr } = await stopped.ended;
  assert.equal(code, 130);
  assert.ok(stderr.includes(`go on with: bench run --resume ${run} --results `), stderr);
  // What was given by hand is named again.
  const shownAgain = (await benchHere(site, ["show"])).stdout;
  for (const [text, results] of [[stdout, ` --results ${site.results}`], [shownAgain, ""]] as const) {
    assert.match(text, /provisional, as of 2 of 4 rounds: the run was stopped before its end/);
    const flat = text.replaceAll(/( \\)?\s+/g, " ");
    assert.ok(flat.includes(`NEXT go on with it: bench run --resume ${run}${results} `), text);
  }
});

siteTest("a second run at the same time is refused with the first one's process id", async (site) => {
  const first = startBench(site, ["run", RESTING]);
  await until("a run that has begun", () => runsIn(site).length > 0, first);
  const second = await benchHere(site, ["run", RESTING]);
  assert.equal(second.code, 1, second.stderr);
  assert.match(second.stderr, new RegExp(`^error: another run is measuring .* process ${first.pid}$`, "m"));
  assert.match(second.stderr, /^ {2}try: /m);
  assert.equal(runsIn(site).length, 1);
  assert.ok(isRunning(first.pid));
  process.kill(first.pid, "SIGINT");
  assert.equal((await first.ended).code, 130);
});
