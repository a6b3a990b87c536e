/** `bench serve` and the commands that only tell something. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { encodeUser } from "../stores/user.ts";
import { userMaker } from "../stores/dataset/user-at.ts";
import { benchHere } from "./command-line.ts";
import { bench, descendantsOf, DRIVERS, isRunning, type Site, siteTest, startBench, until } from "./run-bench.ts";

/** Copies that served: they must be gone when the server is. */
function scratchIn(site: Site): string[] {
  if (!existsSync(site.data)) return [];
  return readdirSync(site.data, { recursive: true }).map(String).filter((name) => name.includes(".scratch-"));
}

const CASES = [["node", "sqlite", false], ["deno", "linear", true], ["bun", "map", false]] as const;

for (const [runtime, store, group] of CASES) {
  const how = group ? "Ctrl-C" : "SIGINT";
  siteTest(`bench serve answers on ${runtime} with ${store} and stops cleanly on ${how}`, async (site) => {
    const args = ["serve", "--runtime", runtime, "--store", store, "--size", "1k", "--port", "0"];
    const running = startBench(site, args);
    const url = await until("a URL", () => /^http:\/\/\S+$/m.exec(running.stdout())?.[0], running);
    const user = userMaker(42)(7);
    const found = await fetch(`${url}/users/${user.id}`);
    assert.deepEqual([found.status, await found.text()], [200, encodeUser(user)]);
    const body = encodeUser(userMaker(42)(5_000));
    const headers = { "content-type": "application/json" };
    const created = await fetch(`${url}/users`, { method: "POST", body, headers });
    assert.deepEqual([created.status, await created.text()], [201, body]);
    assert.equal(scratchIn(site).length > 0, true, "it serves a copy");
    const example = await until("an example", () => /^try: curl (http:\S+)$/m.exec(running.stderr())?.[1], running);
    const shown = await fetch(example);
    assert.deepEqual([shown.status, await shown.text()], [200, encodeUser(userMaker(42)(0))]);
    const children = descendantsOf(running.pid);
    process.kill(group ? -running.pid : running.pid, "SIGINT");
    const ended = await running.ended;
    assert.equal(ended.code, 130, ended.stderr);
    assert.deepEqual(children.filter(({ pid }) => isRunning(pid)), []);
    assert.deepEqual(scratchIn(site), []);
    const again = await benchHere(site, ["run", "--prepare", "--size", "1k", "--store", store, "--json"]);
    const parts: { built: string | null }[] = JSON.parse(again.stdout).parts;
    assert.deepEqual(parts.map(({ built }) => built), [null], "the served files were left as they were");
  });
}

siteTest("a server that hears Ctrl-C before bench serve does has not ended by itself", async (site) => {
  const words = ["serve", "routes", "--runtime", "node", "--route", "health", "--port", "0"];
  const running = startBench(site, words);
  await until("a URL", () => /^http:\/\/\S+$/m.exec(running.stdout())?.[0], running);
  const children = descendantsOf(running.pid);
  for (const { pid } of children) process.kill(pid, "SIGINT");
  await until("the server's end", () => children.every(({ pid }) => !isRunning(pid)), running);
  process.kill(running.pid, "SIGINT");
  const ended = await running.ended;
  assert.equal(ended.code, 130, ended.stderr);
});

siteTest("a suite in a file is served and listed as those of the project are", async (site) => {
  const suite = join(PROJECT_ROOT, "tests", "fixtures", "odd-suite.ts");
  const running = startBench(site, ["serve", suite, "--way-how", 'x y, "z" <b>', "--port", "0"]);
  const url = await until("a URL", () => /^http:\/\/\S+$/m.exec(running.stdout())?.[0], running);
  assert.equal(await (await fetch(`${url}/page`)).text(), 'x y, "z" <b>:');
  process.kill(running.pid, "SIGINT");
  const ended = await running.ended;
  assert.equal(ended.code, 130, ended.stderr);
  assert.match(ended.stderr, /^try: curl -H 'x-odd: 0' http:.*\/page$/m);

  const listed = await benchHere(site, ["list", suite, "--json"]);
  const { name, points, axes, unsupported } = JSON.parse(listed.stdout);
  assert.deepEqual([name, points, axes.length, unsupported[0].reason], ["odd", 3, 4, "<too> long / to say"]);
  const text = await benchHere(site, ["list", suite]);
  assert.match(text.stdout, /^--way-how: Way <how> \(contrast\)$/m);
  assert.match((await benchHere(site, ["run", suite, "--prepare"])).stdout, /suite "odd" needs no files/);
});

siteTest("a port that is taken is told with what to try, on every runtime", async (site) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = holder.address() as AddressInfo;
    for (const runtime of DRIVERS) {
      const args = ["serve", "--runtime", runtime, "--store", "map", "--size", "1k", "--port", String(port)];
      const ended = await benchHere(site, args);
      assert.equal(ended.code, 1, ended.stderr);
      assert.match(ended.stderr, new RegExp(`^error: .*${port}.*$`, "m"), runtime);
      assert.match(ended.stderr, /^ {2}try: .*--port/m);
      assert.equal(ended.stdout, "");
      assert.deepEqual(scratchIn(site), [], runtime);
    }
  } finally {
    holder.close();
  }
});

siteTest(
  "help, versions and a dry run are the same on every driver, plain unless colour is asked for",
  async (site) => {
    const args = ["run", "--runtime", "bun", "--store", "map", "--size", "1k", "--seed", "7", "--rounds", "2"];
    const dryRun = [...args, "--alone", "--dry-run", "--json"];
    const outputs = new Set<string>();
    for (const driver of DRIVERS) {
      const env = { LEVELFIELD_DRIVER: driver, NO_COLOR: undefined };
      const [help, dry, version, coloured] = [
        await bench(site, ["run", "--help"], env),
        await bench(site, dryRun, env),
        await bench(site, ["--version"], env),
        await bench(site, ["list"], { ...env, FORCE_COLOR: "1" }),
      ];
      assert.deepEqual([help.code, dry.code, version.code], [0, 0, 0], help.stderr + dry.stderr + version.stderr);
      assert.ok(!`${help.stdout}${dry.stdout}${version.stdout}`.includes("\u001b"), driver);
      assert.ok(coloured.stdout.includes("\u001b["), driver);
      assert.equal(JSON.parse(dry.stdout).schedule.length, 6);
      assert.match(version.stdout, new RegExp(`^driver +${driver} \\d`, "m"));
      outputs.add(help.stdout + dry.stdout);
    }
    assert.equal(outputs.size, 1);
    const refused = await bench(site, ["list"], { FORCE_COLOR: "1", NO_COLOR: "1" });
    assert.match(refused.stdout, /^ {2}users +/m);
    assert.ok(!refused.stdout.includes("\u001b"));
    assert.ok(!existsSync(site.results));
  },
);
