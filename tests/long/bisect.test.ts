/** A bisection through its first step, stopped, and gone on with; what it decides is not looked at, for it rests on noise. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bisectionSchema } from "../../bench/record/bisection.ts";
import { APP, makeRepository } from "../gate-repository.ts";
import { bench, type Site, siteTest, startBench } from "../run-bench.ts";
import { until } from "../testing.ts";

const TINY = ["--rounds", "3", "--warmup", "1s"];

/** Starts a bisection, stops it when its second step begins, and gives what it has kept. */
async function stoppedAfterFirst(site: Site, folder: string, args: readonly string[]) {
  const running = startBench({ ...site, folder }, args);
  let over = false;
  running.ended.then(() => over = true);
  // A quiet machine may decide by the first step.
  await until(() => over || /^step 2: /m.test(running.stderr()));
  running.child.kill("SIGINT");
  const ended = await running.ended;
  const [file] = readdirSync(site.results).filter((name) => name.startsWith("bisect-"));
  const path = join(site.results, file!);
  return { ended, state: bisectionSchema.parse(JSON.parse(readFileSync(path, "utf8"))) };
}

siteTest("revisions of one's own repository are bisected, each from its own files", async (site) => {
  const root = join(site.folder, "repo");
  await makeRepository(root, [
    { "app.ts": APP("a", 0) },
    { "app.ts": 'throw new Error("no database");' },
    { "app.ts": APP("a", 10) },
    { "app.ts": APP("a", 20_000) },
  ]);
  const args = ["bisect", "--good", "HEAD~3", "--app", "./app.ts", "--runtime", "bun", ...TINY];
  const { ended, state } = await stoppedAfterFirst(site, root, args);
  assert.match(ended.stderr, /^[0-9a-f]{10} is stepped over: .*no database/m);
  assert.deepEqual(state.left_out.map(({ version }) => version), [1]);
  const [first] = state.steps;
  assert.equal(first!.middle, 2);
  const [good, , middle, bad] = state.versions;
  assert.deepEqual(
    first!.comparisons.map(({ over, under }) => [over, under].sort().join()).sort(),
    [[good, middle], [good, bad], [middle, bad]].map((pair) => pair.sort().join()).sort(),
  );
  assert.equal((await bench(site, ["verify", first!.run])).code, 0);
  assert.deepEqual(readdirSync(site.folder).filter((name) => name.startsWith("levelfield-bisect-")), []);
});
