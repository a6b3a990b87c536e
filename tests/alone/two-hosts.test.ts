/** A whole run through agents on this machine: what it publishes, and what becomes of it when an agent is killed. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../../bench/record/observation-record.ts";
import { runRecord } from "../../bench/record/run-record.ts";
import { bench, descendantsOf, isRunning, runsIn, siteTest, startBench, until } from "../run-bench.ts";
import { linesIn, LOAD, SERVER } from "../whole-run.ts";

const AGENT = "agent --no-config";

/** One step: two runtimes, one of them twice, all together. */
const ENSEMBLE = ["run", "--pair", "bun/map/1k", "deno/map/1k", "--rounds", "1", "--duration", "1s", "--warmup", "1s"];

siteTest("an ensemble through two agents stops when one is killed under load, goes on and verifies", async (site) => {
  const hosts = ["--server-host", "env SIDE=server", "--load-host", "env SIDE=load"];
  const running = startBench(site, [...ENSEMBLE, ...hosts]);
  const children = await until("a load on several servers", () => {
    const all = descendantsOf(running.pid);
    const several = all.filter(({ command }) => command.includes(SERVER)).length > 1;
    return several && all.some(({ command }) => command.includes(LOAD)) && all;
  }, running);
  const agents = children.filter(({ command }) => command.includes(AGENT));
  assert.equal(agents.length, 2, JSON.stringify(children));
  process.kill(agents[0]!.pid, "SIGKILL");
  const ended = await running.ended;
  assert.equal(ended.code, 1, ended.stderr);
  assert.match(ended.stderr, /error: host "env SIDE=\w+" is gone: /);
  const [name] = runsIn(site);
  assert.match(ended.stderr, new RegExp(`try: bench run --resume ${name}`));
  await until("everything to end", () => children.every(({ pid }) => !isRunning(pid)));

  const resumed = await bench(site, ["run", "--resume", name!]);
  assert.ok(resumed.code === 0 || resumed.code === 3, resumed.stderr);
  const run = runRecord.parse(JSON.parse(readFileSync(join(site.results, name!, "run.json"), "utf8")));
  assert.equal(run.state, "finished");
  assert.deepEqual(run.hosts, {
    server: "env SIDE=server",
    load: "env SIDE=load",
    address: "127.0.0.1",
    link: { name: "lo", bits_per_second: null },
  });
  const [{ kind, members, marks }, ...more] = linesIn(site) as [Observation];
  assert.deepEqual([kind, members.length, more], ["ensemble", 3, []]);
  assert.ok(members.every(({ cpu_ns }) => cpu_ns !== null), JSON.stringify([marks, members]));
  assert.ok(existsSync(join(site.results, name!, "summary.json")));
  const verified = await bench(site, ["verify", name!]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});
