/** A whole run through agents on this machine: what it publishes, and what becomes of it when an agent is killed. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SETTLE_MS } from "../../bench/plan/lengths.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import { runRecord } from "../../bench/record/run-record.ts";
import { benchHere } from "../command-line.ts";
import { bench, descendantsOf, isRunning, runsIn, siteTest, startBench, until, withCells } from "../run-bench.ts";
import { linesIn, LOAD, SERVER } from "../whole-run.ts";

const AGENT = "agent --no-config";

/** One step: two runtimes, one of them twice, all together. */
const ENSEMBLE = "run --runtime bun,deno --store map --size 1k --rounds 3 --duration 1s --warmup 1s".split(" ");

siteTest("an ensemble through two agents stops when one is killed under load, goes on and verifies", async (site) => {
  const hosts = ["--server-host", "env SIDE=server", "--load-host", "env SIDE=load"];
  const printed = JSON.parse((await benchHere(site, [...ENSEMBLE, "--dry-run", "--json"])).stdout);
  const ensembles = [{ ...printed.plan.ensembles[0], rounds: 1 }];
  Object.assign(printed.plan, {
    rounds: 1,
    ensembles,
    alone_rounds: 0,
    ceilings: [],
    warmup: { ...printed.plan.warmup, ms: SETTLE_MS },
  });
  const plan = withCells(site, printed, () => true);
  const running = startBench(site, ["run", "--plan", plan, ...hosts]);
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
  const verified = await benchHere(site, ["verify", name!]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});
