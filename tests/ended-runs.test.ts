/** Drivers that are killed or come second: nothing is left behind, and nothing is begun. What they measure is not looked at. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  bench,
  descendant,
  descendantsOf,
  DRIVERS,
  isRunning,
  onSite,
  type Running,
  runsIn,
  shortPlan,
  startBench,
  toolTest,
  until,
} from "./run-bench.ts";
import { BUILDER, underLoad } from "./whole-run.ts";

for (const driver of DRIVERS) {
  toolTest(`a driver on ${driver} that is killed leaves no server, no load generator and no builder`, async () => {
    await onSite(async (site) => {
      const gone = async (running: Running) => {
        const children = descendantsOf(running.pid);
        assert.ok(children.length > 0);
        running.child.kill("SIGKILL");
        await running.ended;
        await until("all it had started to end", () => children.every(({ pid }) => !isRunning(pid)));
      };
      const args = ["run", "--runtime", "deno", "--rounds", "1", "--duration", "30s", "--alone"];
      const env = { LEVELFIELD_DRIVER: driver };
      const measuring = startBench(site, [...args, "--store", "map", "--size", "1k"], env);
      await underLoad(measuring);
      await gone(measuring);

      assert.ok(existsSync(join(site.folder, "levelfield.lock")), "the lock of a killed run stays, and is taken over");
      const data = join(site.folder, "data");
      const building = startBench(site, [...args, "--store", "sqlite", "--size", "1m", "--data", data], env);
      await until("the builder", () => descendant(building.pid, BUILDER), building);
      await gone(building);
    });
  });
}

toolTest(
  "a run killed or stopped keeps its answer, as of the rounds it made, and says what goes on with it",
  async () => {
    await onSite(async (site) => {
      const short = "--runtime bun --store map,binary --size 1k --rounds 4 --duration 1s --warmup 1s";
      const plan = await shortPlan(site, short.split(" "));
      const told = (rounds: number) => `so far, after ${rounds} of 4 rounds (provisional): no answer yet: `;
      const killed = startBench(site, ["run", "--plan", plan]);
      await until("an answer of one round", () => killed.stderr().includes(told(1)), killed);
      killed.child.kill("SIGKILL");
      await killed.ended;
      const [run] = runsIn(site);
      const shown = await bench(site, ["show"]);
      assert.match(shown.stdout, /provisional, as of 1 of 4 rounds: the run has not ended/);
      assert.match(shown.stdout, /No answer from this run: /);
      assert.match(shown.stdout, new RegExp(`goes on with it:\\n +bench run --resume ${run}\\n`));

      const stopped = startBench(site, ["run", "--resume", run!]);
      await until("an answer of two rounds", () => stopped.stderr().includes(told(2)), stopped);
      process.kill(stopped.pid, "SIGTERM");
      const { code, stdout } = await stopped.ended;
      assert.equal(code, 130);
      for (const text of [stdout, (await bench(site, ["show"])).stdout]) {
        assert.match(text, /provisional, as of 2 of 4 rounds: the run was stopped before its end/);
        assert.match(text, new RegExp(`goes on with it:\\n +bench run --resume ${run}\\n`));
      }
    });
  },
);

toolTest("a second run at the same time is refused with the first one's process id", async () => {
  await onSite(async (site) => {
    const args = [
      "run",
      "--runtime",
      "node",
      "--store",
      "map",
      "--size",
      "1k",
      "--rounds",
      "1",
      "--duration",
      "30s",
      "--alone",
    ];
    const first = startBench(site, args);
    await underLoad(first);
    const second = await bench(site, args);
    assert.equal(second.code, 1, second.stderr);
    assert.match(second.stderr, new RegExp(`^error: another run is measuring .* process ${first.pid}$`, "m"));
    assert.match(second.stderr, /^ {2}try: /m);
    assert.equal(runsIn(site).length, 1);
    assert.ok(isRunning(first.pid));
    process.kill(first.pid, "SIGINT");
    assert.equal((await first.ended).code, 130);
  });
});
