/** `bench explain` through real servers, profilers and loads. What others disturb is of no matter here. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ExplainedCell, explanationSchema } from "../bench/record/explanation-schema.ts";
import { RUNTIME_NAMES } from "../servers/runtime.ts";
import { bench, onSite, type Site, startBench, toolTest } from "./run-bench.ts";
import { until } from "./testing.ts";

const SERVER = `require("http").createServer((_, reply) => reply.end("hi")).listen(process.env.PORT, "127.0.0.1");`;
const SHORT = ["--rounds", "3", "--duration", "1s"];

function foldersOf({ results }: Site): string[] {
  const all = join(results, "explanations");
  return existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
}

toolTest("each runtime's cell is told what a request uses, with its raw profile beside", async () => {
  await onSite(async (site) => {
    const app = `export default { fetch: () => new Response("x".repeat(1_000)) };`;
    writeFileSync(join(site.folder, "app.mjs"), app);
    for (const cells of [["node", "bun"], ["deno"]]) {
      const { code, stdout, stderr } = await bench(site, [
        "explain",
        "--app",
        "./app.mjs",
        ...cells,
        ...SHORT,
        "--json",
      ]);
      assert.equal(code, 0, stderr);
      const told = explanationSchema.parse(JSON.parse(stdout));
      assert.deepEqual(told.cells.map(({ runtime }) => runtime), cells);
      const folder = foldersOf(site).sort().at(-1)!;
      assert.deepEqual(JSON.parse(readFileSync(join(folder, "explanation.json"), "utf8")), told);
      for (const { runtime, passes, profiler_share } of told.cells) {
        assert.equal(passes.length, 3);
        assert.ok(profiler_share !== null, `${runtime}`);
        for (const { plain, profiled, profile } of passes) {
          assert.ok(plain.user_us > 0 && plain.system_us > 0 && plain.threads.main !== undefined, runtime!);
          assert.ok(plain.sent_bytes! > 1_000 && plain.sent_bytes! < 1_500, `${plain.sent_bytes}`);
          assert.equal(plain.threads.profiler, undefined, runtime!);
          assert.ok(profiled!.threads.profiler !== undefined, runtime!);
          const { nodes } = JSON.parse(readFileSync(join(folder, profile!), "utf8"));
          assert.ok(JSON.stringify(nodes).includes("app.mjs"), `${runtime}: the app was sampled`);
        }
      }
    }
    assert.deepEqual((await bench(site, ["show", "--list", "--json"])).code, 0, "no run is in the way");
  });
});

toolTest("a program that would die of SIGTERM writes its profile, too, on each runtime", async () => {
  await onSite(async (site) => {
    writeFileSync(join(site.folder, "server.cjs"), SERVER);
    for (const runtime of RUNTIME_NAMES) {
      const args = ["explain", "--program", "./server.cjs", "--runtime", runtime, ...SHORT, "--json"];
      const { code, stdout, stderr } = await bench(site, args);
      assert.equal(code, 0, stderr);
      const [{ passes, layers }] = explanationSchema.parse(JSON.parse(stdout)).cells as [ExplainedCell];
      assert.ok(passes[0]!.profile !== null && layers.length > 0, `${runtime}: ${stdout.slice(0, 500)}`);
    }
  });
});

toolTest("a program of which there is no profile is told all the same, with a mark", async () => {
  await onSite(async (site) => {
    writeFileSync(join(site.folder, "server.cjs"), SERVER);
    const { code, stdout, stderr } = await bench(site, ["explain", "--command", "node server.cjs", ...SHORT]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^node\S*: \d+(\.\d+)? µs of CPU time a request$/m);
    assert.match(stdout, /! no profile was written/);
  });
});

toolTest("what is stopped or wrong leaves nothing behind, and says so in a line", async () => {
  await onSite(async (site) => {
    const three = await bench(site, ["explain", "routes", "greet/node", "greet/deno", "greet/bun"]);
    assert.equal(three.code, 2);
    assert.match(three.stderr, /^error: "bench explain" has no use for "greet\/bun"/m);
    const none = await bench(site, ["explain", "routes", "greet/nodee"]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /"nodee" of "greet\/nodee" is no value/);
    const running = startBench(site, ["explain", "routes", "health/deno"]);
    await until(() => running.stderr().includes("pass 1"));
    process.kill(-running.pid, "SIGINT");
    const { code, stderr } = await running.ended;
    assert.equal(code, 130, stderr);
    assert.deepEqual(foldersOf(site), []);
  });
});
