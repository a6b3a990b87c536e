/** A gate as somebody's CI runs it: the action's own steps over a shallow clone. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { git } from "../gate-repository.ts";
import { APP, makeRepository, scratchOf } from "../gate-repository.ts";
import { bench, siteTest } from "../run-bench.ts";

/** Runs a program to its end beside servers of this process. */
function run(file: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => stdout += text);
    child.stderr.setEncoding("utf8").on("data", (text) => stderr += text);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

siteTest("the action's step finds a slow commit in a shallow clone, and leaves nothing else behind", async (site) => {
  const origin = join(site.folder, "origin");
  await makeRepository(origin, [{ "app.ts": APP("hello", 0) }, { "app.ts": APP("hello there", 50_000) }]);
  const clone = join(site.folder, "clone");
  await git(site.folder, "clone", "--quiet", "--depth=1", `file://${origin}`, clone);
  const [summary, outputs] = [join(site.folder, "summary.md"), join(site.folder, "outputs")];
  const { code, stderr } = await run(join(PROJECT_ROOT, "action", "gate.sh"), [], clone, {
    TMPDIR: site.folder,
    LEVELFIELD_DATA: site.data,
    RUNNER_TEMP: site.folder,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    GATE_BENCH: join(PROJECT_ROOT, "bin", "bench"),
    GATE_APP: "app.ts",
    GATE_LIMIT: "3%",
    GATE_OPTIONS: `\n--runtime=bun\n--rounds=${thresholds.leastRounds.value}\n--warmup=1s\n--request=GET /a?b=1\n`,
  });
  assert.equal(code, 0, stderr);
  const said = Object.fromEntries(
    readFileSync(outputs, "utf8").trim().split("\n").map((line) => line.split("=") as [string, string]),
  );
  const comment = readFileSync(said["comment-file"]!, "utf8");
  assert.equal(said["outcome"], "regression", comment + stderr);
  assert.equal(readFileSync(summary, "utf8"), comment);
  assert.match(comment, /^<!-- levelfield gate: app\.ts -->\n### ✗ `app\.ts`: Regression: [\d.]+ % more CPU time/);
  assert.match(comment, /Replies have changed \(1 request\):\n\n- GET \/a\?b=1: body is .*hello there/);
  assert.match(comment, /\| bun \| .* \| slower \|/);
  const [name] = readdirSync(said["results"]!);
  const verified = await bench(site, ["verify", name!, "--results", said["results"]!]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.equal(await git(clone, "status", "--porcelain"), "");
  assert.equal(await git(clone, "worktree", "list").then((text) => text.split("\n").length), 1);
  assert.deepEqual(scratchOf(site), []);
});
