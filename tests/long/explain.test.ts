/** `bench explain` through real servers, profilers and loads. What others disturb is of no matter here. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type ExplainedCell, explanationSchema } from "../../bench/record/explanation-schema.ts";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { bench, onSite, type Site, startBench, toolTest } from "../run-bench.ts";
import { assertExplained } from "../explained.ts";
import { until } from "../testing.ts";

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
      assertExplained(folder!, told, 3);
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

toolTest(
  "cells of a run are explained by the names bench show gives them, and what the run says is not said again",
  async () => {
    await onSite(async (site) => {
      // Temporary files of the bench are beside its folder, not in it.
      mkdirSync(join(site.folder, "own"));
      writeFileSync(join(site.folder, "own", "app.mjs"), `export default { fetch: () => new Response("hi") };`);
      const apps = ["--app", "one=./own/app.mjs,two=./own/app.mjs", "--runtime", "node"];
      const ran = await bench(site, ["run", ...apps, "--rounds", "2", "--duration", "1s", "--warmup", "1s"]);
      assert.ok([0, 3].includes(ran.code!), ran.stderr);
      const [run] = readdirSync(site.results).filter((name) => existsSync(join(site.results, name, "run.json")));
      const plan = JSON.parse(readFileSync(join(site.results, run!, "run.json"), "utf8")).plan;
      for (const word of [run!, join(site.results, run!)]) {
        const wrong = await bench(site, ["explain", word, "three"]);
        assert.deepEqual([wrong.code, /unknown cell "three"/.test(wrong.stderr)], [2, true], wrong.stderr);
      }
      const again = await bench(site, ["explain", run!, "one/node", "--runtime", "bun"]);
      assert.match(again.stderr, /--runtime has no use here: a run says all of its cells/);
      const { code, stdout, stderr } = await bench(site, ["explain", run!, "two/node", "one/node", ...SHORT, "--json"]);
      assert.equal(code, 0, stderr);
      const { cells } = explanationSchema.parse(JSON.parse(stdout));
      assert.deepEqual(cells.map(({ name }) => name), ["two/node", "one/node"]);
      for (const { cell } of cells) {
        assert.ok(plan.cells.some((own: unknown) => isDeepStrictEqual(own, cell)), "it is the run's");
      }
    });
  },
);

toolTest(
  "one's own app is explained beside another revision of its repository, with the functions of each",
  async () => {
    await onSite(async (site) => {
      // Temporary files of the bench are beside it, not in it.
      const repository = join(site.folder, "repository");
      mkdirSync(repository);
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
      const write = (work: string) =>
        writeFileSync(
          join(repository, "app.mjs"),
          `let kept = 1;
function grind() { let x = kept; for (let n = 0; n < 200_000; n++) x = (Math.imul(x, 1664525) + 1013904223) | 0; return kept = x; }
export default { fetch: () => { ${work} return new Response("hi"); } };`,
        );
      write("");
      git("init", "-q");
      git("add", "app.mjs");
      git("commit", "-qm", "before");
      const args = ["explain", "--app", "./repository/app.mjs", "node", "--against"];
      const same = await bench(site, [...args, "HEAD"]);
      assert.deepEqual([same.code, /there is nothing to compare/.test(same.stderr)], [2, true], same.stderr);
      write("grind();");
      const { code, stdout, stderr } = await bench(site, [...args, "HEAD", ...SHORT, "--json"]);
      assert.equal(code, 0, stderr);
      const { cells } = explanationSchema.parse(JSON.parse(stdout));
      assert.deepEqual(cells.map(({ cell }) => cell.point.at["app"]), ["yours", "base"]);
      const grinds = cells.map(({ layers }) =>
        layers.some(({ layer, functions }) => layer === "app" && functions.some(({ name }) => name === "grind"))
      );
      assert.deepEqual(grinds, [true, false]);
    });
  },
);

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
