/** Runs in which a driver is interrupted or a server killed or stopped: what they keep, and what they say. */
import assert from "node:assert/strict";
import type { Observation } from "../../bench/record/observation-record.ts";
import { exitOf, undisturbed } from "../contended.ts";
import {
  bench,
  descendant,
  descendantsOf,
  DRIVERS,
  isRunning,
  onSite,
  startBench,
  toolTest,
  until,
} from "../run-bench.ts";
import {
  assertGivenUp,
  assertSound,
  killedLeavesNothing,
  linesIn,
  LOAD,
  printed,
  SMALL,
  trialsIn,
  underLoad,
} from "../whole-run.ts";

for (const driver of DRIVERS) {
  toolTest(
    `a driver on ${driver} that is killed leaves no server, no load generator and no builder`,
    () => killedLeavesNothing(driver),
  );
}

toolTest("a driver interrupted alone keeps finished trials, leaves no process and exits with 130", async () => {
  await onSite(async (site) => {
    const args = ["--runtime", "bun", "--store", "map", "--duration", "1s", "--json"];
    const running = startBench(site, ["run", ...SMALL, ...args]);
    await until("the first trial's line", () => trialsIn(site).length > 0, running);
    await until("the next load", () => descendant(running.pid, LOAD), running);
    const children = descendantsOf(running.pid);
    const finished = linesIn(site);
    process.kill(running.pid, "SIGINT");
    const ended = await running.ended;
    assert.equal(ended.code, 130, ended.stderr);
    for (const { pid, command } of children) assert.ok(!isRunning(pid), command);
    const { run } = printed.parse(JSON.parse(ended.stdout));
    assert.equal(run.state, "interrupted");
    assert.deepEqual(linesIn(site), finished);
    assertGivenUp(site, run.run);

    const resumed = await bench(site, ["run", "--resume", run.run, "--json"]);
    const finishing = printed.parse(JSON.parse(resumed.stdout));
    assert.equal(finishing.run.state, "finished");
    undisturbed(finishing.cells);
    assert.equal(resumed.code, exitOf(finishing.cells), resumed.stderr);
    const all = linesIn(site);
    assert.deepEqual(all.slice(0, finished.length), finished, "what was measured is not measured again");
    assert.deepEqual(all.map(({ index }) => index).toSorted((a, b) => a - b), [0, 1, 2]);
  });
});

for (
  const [signal, runtime, code, words] of [
    ["SIGKILL", "node", "server-crashed", /SIGKILL/],
    ["SIGSTOP", "deno", "server-hung", /no reply within/],
  ] as const
) {
  toolTest(
    `a server that gets ${signal} under load makes its cell ${code}, the run goes on and exits with 3`,
    async () => {
      await onSite(async (site) => {
        // How long a reply is waited for goes by how many connections there are, too.
        const soon = ["--timeout", "2s", "--connections", "10"];
        const args = ["--runtime", runtime, "--store", "map", "--duration", "1s", ...soon, "--json"];
        const running = startBench(site, ["run", ...SMALL, ...args]);
        const server = await underLoad(running);
        process.kill(server.pid, signal);
        const ended = await running.ended;
        assert.equal(ended.code, 3, ended.stderr);
        const { run, cells } = printed.parse(JSON.parse(ended.stdout));
        assert.equal(run.state, "finished");
        assert.equal(cells.filter(({ status }) => status === "failed").length, 1);
        const trials = trialsIn(site);
        assert.equal(trials.length, 2);
        const [hit, other] = trials as [Observation, Observation];
        assert.deepEqual([hit.status, hit.marks[0]?.code], ["failed", code]);
        assertSound(other);
        assert.match(hit.marks[0]!.text, words);
        assert.equal(cells.find(({ status }) => status === "failed")!.requests_per_second, null);
        assert.match(ended.stderr, new RegExp(`failed: .*${words.source}`));
        assert.ok(!isRunning(server.pid));
      });
    },
  );
}
