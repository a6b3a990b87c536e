/** A whole run through agents on this machine: what it publishes, and what becomes of it when an agent is killed. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runRecord } from "../bench/core/result/run-record.ts";
import {
  bench,
  benchTest,
  descendant,
  descendantsOf,
  isRunning,
  onSite,
  runsIn,
  startBench,
  toolTest,
  until,
} from "./run-bench.ts";

const AGENT = "agent --no-config";
const SMALL = ["--runtime", "bun", "--store", "map", "--size", "1k", "--alone", "--rounds", "1", "--duration", "1s"];

benchTest("a run through two agents stops with a clear line when one is killed, goes on and verifies", async () => {
  await onSite(async (site) => {
    const hosts = ["--server-host", "env SIDE=server", "--load-host", "env SIDE=load"];
    const running = startBench(site, ["run", ...SMALL, "--warmup", "1s", ...hosts]);
    await until("a load", () => descendant(running.pid, "wrk.lua"), running);
    const children = descendantsOf(running.pid);
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
    assert.ok(existsSync(join(site.results, name!, "summary.json")));
    const verified = await bench(site, ["verify", name!]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  });
});

toolTest("hosts that cannot be reached, or addresses they do not have, are said in a line", async () => {
  await onSite(async (site) => {
    const says = async (...args: string[]) => {
      const { code, stderr } = await bench(site, ["run", ...SMALL, "--dry-run", ...args]);
      return [code, stderr.split("\n").slice(-3, -2)[0]];
    };
    assert.deepEqual(await says("--server-host", "'no end"), [2, `error: --server-host "'no end" is no command`]);
    const [code, line] = await says("--server-host", "sh -c 'echo no route to box1 >&2; exit 255'");
    assert.deepEqual([code, line], [
      1,
      `error: host "sh -c 'echo no route to box1 >&2; exit 255'": there is no agent: no route to box1`,
    ]);
    assert.deepEqual(await says("--server-address", "192.0.2.1"), [
      2,
      `error: the servers' host has no address "192.0.2.1"`,
    ]);
  });
});
