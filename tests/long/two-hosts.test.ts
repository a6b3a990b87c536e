/** A whole run beside a service on a host of its own: it stops when that is lost, and goes on there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runRecord } from "../../bench/record/run-record.ts";
import { bench, descendantsOf, isRunning, runsIn, siteTest, startBench, until } from "../run-bench.ts";
import { linesIn, LOAD, SERVER } from "../whole-run.ts";
import { fileURLToPath } from "node:url";

const AGENT = "agent --no-config";

const SUITE = fileURLToPath(new URL("../fixtures/with-service/suite.ts", import.meta.url));

siteTest("a service runs on the host asked for; if that is lost the run stops, goes on and verifies", async (site) => {
  const hosts = ["server", "load", "service"].flatMap((side) => [`--${side}-host`, `env SIDE=${side}`]);
  const small = ["--runtime", "node", "--alone", "--rounds", "1", "--duration", "1s", "--warmup", "1s"];
  const running = startBench(site, ["run", SUITE, ...small, ...hosts]);
  const children = await until("a load beside a service", () => {
    const all = descendantsOf(running.pid);
    return [SERVER, LOAD, "with-service/service.ts"].every((words) =>
      all.some(({ command }) => command.includes(words))
    ) && all;
  }, running);
  const agents = children.filter(({ command }) => command.includes(AGENT));
  const agentOf = (words: string) =>
    agents.find(({ pid }) => descendantsOf(pid).some(({ command }) => command.includes(words)))!;
  const [beside, ...others] = ["with-service/service.ts", SERVER, LOAD].map((words) => agentOf(words).pid);
  assert.equal(new Set([beside, ...others]).size, 3, JSON.stringify(children));
  process.kill(beside!, "SIGKILL");
  const ended = await running.ended;
  assert.equal(ended.code, 1, ended.stderr);
  assert.match(ended.stderr, /error: host "env SIDE=service" is gone: /);
  await until("everything to end", () => children.every(({ pid }) => !isRunning(pid)));

  const [name] = runsIn(site);
  const resumed = await bench(site, ["run", "--resume", name!]);
  assert.ok(resumed.code === 0 || resumed.code === 3, resumed.stderr);
  const run = runRecord.parse(JSON.parse(readFileSync(join(site.results, name!, "run.json"), "utf8")));
  const link = { name: "lo", bits_per_second: null };
  assert.deepEqual(run.hosts!.service, { host: "env SIDE=service", address: "127.0.0.1", link });
  const line = linesIn(site).find(({ kind }) => kind === "solo")!;
  assert.ok(line.members[0]!.server!.services![0]!.round_trip_us! > 0, JSON.stringify(line.marks));
  const [[use]] = line.services as [[NonNullable<typeof line.services>[number][number]]];
  assert.ok(use.cpu_ns! > 0 && use.counts!["messages"]! > 0, JSON.stringify(use));
  const verified = await bench(site, ["verify", name!]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});
