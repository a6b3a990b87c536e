/** `bench explain` through real servers, profilers and loads, once for all. What others disturb is of no matter here. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { explainCommand } from "../bench/commands/explain.ts";
import type { RunRecord } from "../bench/record/run-record.ts";
import { type Explanation, explanationSchema } from "../bench/record/explanation-schema.ts";
import { commit, git } from "./gate-repository.ts";
import { benchHere } from "./command-line.ts";
import { makeFixture } from "./fixtures/made-up-run.ts";
import { keptSite, type Site, siteTest, startBench, toolTest } from "./run-bench.ts";
import { until } from "./testing.ts";

/** An app that works for a moment and then rests, so that it is sampled and costs little. */
const APP = `let kept = 1;
function grind() { let x = kept; for (let n = 0; n < 50_000; n++) x = (Math.imul(x, 1664525) + 1013904223) | 0; return kept = x; }
const rest = () => new Promise((resolve) => setTimeout(resolve, 20));
export default { async fetch() { grind(); await rest(); return new Response("x".repeat(1_000)); } };`;
/** Enough to have something of everything, because no figure is looked at. A load of wrk takes a second at least. */
const SHORTER = {
  passes: 1,
  windowMs: 1_000,
  loads: { warmup: { kind: "fixed", ms: 300, loads: 1 }, asideMs: 0, tracedMs: 1_000 },
} as const;

function foldersOf({ results }: Site): string[] {
  const all = join(results, "explanations");
  return existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
}

/** A run of two apps on two runtimes that has measured nothing, and what explains two of its cells. */
async function explainOnce() {
  const site = keptSite();
  // Temporary files of the bench are beside its folder, not in it.
  mkdirSync(join(site.folder, "own"));
  writeFileSync(join(site.folder, "own", "app.mjs"), APP);
  const apps = ["--app", "one=./own/app.mjs,two=./own/app.mjs", "--runtime", "node,bun"];
  const planned = await benchHere(site, ["run", ...apps, "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  const { plan, runtimes } = JSON.parse(planned.stdout) as Pick<RunRecord, "plan" | "runtimes">;
  const run = join(site.results, "a-run");
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, "journal.ndjson"), "");
  const like = makeFixture().run;
  const found = runtimes.map((own) => ({ ...like.runtimes[0]!, ...own }));
  const stored = { ...like, plan, runtimes: found, state: "interrupted", finished_at: null };
  writeFileSync(join(run, "run.json"), JSON.stringify(stored));
  const words = ["explain", "a-run", "two/node", "one/bun", "--json"];
  const { code, stdout, stderr } = await benchHere(site, words, {}, (context) => explainCommand(context, SHORTER));
  assert.equal(code, 0, stderr);
  return { site, plan, told: explanationSchema.parse(JSON.parse(stdout)) };
}

let once: ReturnType<typeof explainOnce> | undefined;
const explained = () => once ??= explainOnce();

/** Asserts that each explained cell has one pass, with the use of a request and a raw profile of its `app.mjs`. */
function assertExplained(folder: string, { cells }: Pick<Explanation, "cells">): void {
  for (const { runtime, passes, profiler_share } of cells) {
    assert.equal(passes.length, 1);
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

toolTest("each runtime's cell is told what a request uses, with its raw profile beside", async () => {
  const { site, told } = await explained();
  assert.deepEqual(told.cells.map(({ runtime }) => runtime), ["node", "bun"]);
  const [folder, ...others] = foldersOf(site);
  assert.deepEqual(others, []);
  assert.deepEqual(JSON.parse(readFileSync(join(folder!, "explanation.json"), "utf8")), told);
  assertExplained(folder!, told);
  const listed = await benchHere(site, ["show", "--list", "--json"]);
  assert.equal(listed.code, 0, "no run is in the way");
});

toolTest("cells of a run are explained by the names bench show gives them, without further options", async () => {
  const { site, plan, told: { cells } } = await explained();
  assert.deepEqual(cells.map(({ name }) => name), ["two/node", "one/bun"]);
  for (const { cell } of cells) {
    assert.ok(plan.cells.some((own) => isDeepStrictEqual(own, cell)), "it is the run's");
  }
  for (const word of ["a-run", join(site.results, "a-run")]) {
    const wrong = await benchHere(site, ["explain", word, "three"]);
    assert.deepEqual([wrong.code, /unknown cell "three"/.test(wrong.stderr)], [2, true], wrong.stderr);
  }
  const again = await benchHere(site, ["explain", "a-run", "one/node", "--runtime", "bun"]);
  assert.match(again.stderr, /--runtime has no use here: a run says all of its cells/);
});

siteTest("a revision that is the work tree itself is nothing to explain one's own app beside", async (site) => {
  const repository = join(site.folder, "repository");
  mkdirSync(repository);
  await git(repository, "init", "--quiet");
  await commit(repository, "before", { "app.mjs": APP });
  const same = await benchHere(site, ["explain", "--app", "./repository/app.mjs", "node", "--against", "HEAD"]);
  assert.deepEqual([same.code, /there is nothing to compare/.test(same.stderr)], [2, true], same.stderr);
});

siteTest("what is stopped or wrong leaves nothing behind, and says so in a line", async (site) => {
  const three = await benchHere(site, ["explain", "routes", "greet/node", "greet/deno", "greet/bun"]);
  assert.equal(three.code, 2);
  assert.match(three.stderr, /^error: "bench explain" has no use for "greet\/bun"/m);
  const none = await benchHere(site, ["explain", "routes", "greet/nodee"]);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /"nodee" of "greet\/nodee" is no value/);
  const running = startBench(site, ["explain", "routes", "health/deno"]);
  await until(() => running.stderr().includes("warming up"));
  process.kill(-running.pid, "SIGINT");
  const { code, stderr } = await running.ended;
  assert.equal(code, 130, stderr);
  assert.deepEqual(foldersOf(site), []);
});
