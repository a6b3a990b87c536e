/** A program that listens by itself, planned on every runtime without anything being measured. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { benchHere } from "./command-line.ts";
import { bench, type Ended, siteTest } from "./run-bench.ts";

/** Asserts that a server answers alike on all three runtimes, which share a core; gives the plan. */
function sharedPlan({ code, stdout, stderr }: Ended) {
  assert.equal(code, 0, stderr);
  const started = stderr.split("\n").filter((line) => line.startsWith("server on "));
  assert.equal(started.length, 3, stderr);
  for (const line of started.slice(1)) assert.match(line, /answers as server on node does$/);
  const { plan, schedule } = JSON.parse(stdout);
  assert.deepEqual(plan.unsupported, []);
  // On a busy machine a request may cost a server more beside others, and that alone keeps them apart.
  const [{ apart }] = plan.suite.own.servers;
  assert.ok(
    schedule.some(({ kind }: { kind: string }) => kind === "ensemble") || /a request costs/.test(apart),
    stdout,
  );
  return plan;
}

siteTest("the example's program answers alike on all three runtimes, which share a core", async (site) => {
  cpSync(join(PROJECT_ROOT, "examples", "own-program"), join(site.folder, "program"), { recursive: true });
  const config = join("program", "levelfield.config.ts");
  sharedPlan(await bench(site, ["run", "--config", config, "--dry-run", "--json"]));
});

siteTest("the example's WebSocket answers alike on all three runtimes, which share a core", async (site) => {
  const file = join(PROJECT_ROOT, "examples", "own-websocket", "server.js");
  const given = ["--websocket", "/chat", "--message", '{"text":"hi"}'];
  const plan = sharedPlan(await benchHere(site, ["run", "--program", file, ...given, "--dry-run", "--json"]));
  assert.equal(plan.generator, "websocket");
  const [{ reply }] = plan.suite.own.samples;
  assert.deepEqual([reply.status, reply.body], [101, '{"text":"HI","length":2}']);
});

siteTest("the example's members say first who they are, on all three runtimes", async (site) => {
  const file = join(PROJECT_ROOT, "examples", "own-websocket", "server.js");
  const given = ["--websocket", "/members", "--first", '{"name":"me"}', "--message", '{"text":"hi"}'];
  const plan = sharedPlan(await benchHere(site, ["run", "--program", file, ...given, "--dry-run", "--json"]));
  const [{ reply, first }] = plan.suite.own.samples;
  assert.deepEqual([first, reply.body], ['{"name":"me"}', '{"text":"HI","length":2}']);
  assert.deepEqual([reply.headers["x-first-replies"], reply.headers["x-first-said"]], [
    "1",
    '"{\\"welcome\\":\\"me\\"}"',
  ]);
  const refused = await benchHere(site, ["run", "--program", file, ...given.toSpliced(2, 2), "--dry-run"]);
  assert.match(refused.stderr, /WEBSOCKET \/members: it closed with code 4401/);
});

siteTest("the example of workers plans one and two of them by each way a runtime has", async (site) => {
  cpSync(join(PROJECT_ROOT, "examples", "workers"), join(site.folder, "workers"), { recursive: true });
  const config = join("workers", "levelfield.config.ts");
  const planned = await benchHere(site, ["run", "--config", config, "--force-workers", "--dry-run"]);
  assert.equal(planned.code, 0, planned.stderr);
  const told = planned.stderr + planned.stdout;
  for (
    const cell of ["node/2/reuse-port", "node/2/cluster", "deno/2/reuse-port", "deno/2/parallel", "bun/2/reuse-port"]
  ) {
    assert.ok(told.includes(`  app/${cell}\n`), `${cell}: ${told}`);
  }
  assert.match(told, /unsupported: app\/bun\/1\/cluster, app\/bun\/2\/cluster: .*ask for reuse-port$/m);
});

/** A program that is quick without a port that only the first one gets; bench/apps/look-together.test.ts has other things shared. */
const METRICS = `import { createServer } from "node:http";
  let hasMetrics = false;
  const server = createServer((_, response) => response.end("requests_total 1"));
  server.on("error", () => console.error("metrics are off: their port is taken"));
  server.listen(19465, "127.0.0.1", () => { hasMetrics = true; });
  let sum = 0;
  createServer((_, response) => {
    if (hasMetrics) for (let n = 0; n < 50_000; n++) sum += Math.sqrt(n);
    response.end("hello");
  }).listen(Number(process.env.PORT), "127.0.0.1");`;

siteTest("programs that share a port are measured alone by themselves, and it is said why", async (site) => {
  writeFileSync(join(site.folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(site.folder, "metrics.mjs"), METRICS);
  const words = ["run", "--program", "./metrics.mjs", "--runtime", "node,bun", "--quick", "--dry-run"];
  const planned = await benchHere(site, words);
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stdout, /^measured alone and compared by rates, .*/m);
  assert.match(planned.stdout, /they share port 19465 \(node and bun\)$/m);
  assert.doesNotMatch(planned.stdout, /ensemble/);
  // What the user chose alone needs no look, and no reason.
  const chosen = await benchHere(site, [...words, "--alone"]);
  assert.doesNotMatch(chosen.stdout, /^measured alone and/m);
});
