/** A gate as somebody's CI runs it: the action's own steps over a shallow clone, and what is refused or passed unmeasured. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { thresholds } from "../bench/statistics/thresholds.ts";
import { locateRuntime, PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { commit, git } from "../lab/gate-repository.ts";
import { bench, onSite, type Site, toolTest } from "./run-bench.ts";

/** An app that does some work at each request, and answers `word`. */
const APP = (word: string, work: number, status = 200) =>
  `let spent = 0;
export default { fetch() {
  for (let n = 0; n < ${work}; n++) spent = (spent + n) % 1_000;
  return new Response(${JSON.stringify(word)}, { status: ${status} });
} };
`;

/** A repository with an app; each of the others is a commit upon the one before. */
async function makeRepository(root: string, commits: readonly Readonly<Record<string, string>>[]): Promise<void> {
  mkdirSync(root);
  await git(root, "init", "--quiet");
  for (const files of commits) await commit(root, "a commit", files);
}

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

const scratchOf = (site: Site) => readdirSync(site.folder).filter((name) => name.startsWith("levelfield-gate-"));

/** Verdicts take their time: asked for with the other slow tests. */
const slowTest = process.env["LEVELFIELD_ENVIRONMENTS"] === "1" ? toolTest : test.skip;

slowTest(
  "the action's step finds a slow commit in a shallow clone, writes it down and leaves nothing behind (with LEVELFIELD_ENVIRONMENTS=1)",
  async () => {
    await onSite(async (site) => {
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
  },
);

toolTest(
  "what a gate cannot compare is refused in one line, or passes with a note where nobody is to blame",
  async () => {
    await onSite(async (site) => {
      const root = join(site.folder, "repo");
      await makeRepository(root, [
        { "app.ts": APP("a", 0), "package-lock.json": '{"packages":{}}' },
        { "app.ts": APP("a", 0, 404), "other.ts": APP("b", 0), "broken.ts": 'throw new Error("no database");' },
        { "package-lock.json": '{"packages":{"hono":{}}}', "broken.ts": "export default () => new Response('a');" },
      ]);
      const gate = (given: readonly string[], cwd = "repo") =>
        bench(site, ["gate", ...given.map((word) => word.replaceAll("./", `./${cwd}/`)), "--runtime", "bun"]);
      const refusals: readonly [given: readonly string[], code: number, error: RegExp][] = [
        [[], 2, /a gate needs one --app or --command/],
        [["--app", "a=./app.ts,b=./other.ts"], 2, /compares one server with its base, not 2: a, b/],
        [["--app", "./app.ts"], 2, /the work tree is "HEAD" itself, unchanged/],
        [["--app", "./app.ts", "--base", "nowhere"], 2, /git knows no revision "nowhere"/],
        [
          ["--app", "./app.ts", "--base", "HEAD~1"],
          2,
          /base "HEAD~1" wants other packages: package-lock\.json differs/,
        ],
        [["--app", "./app.ts", "--base", "HEAD~1", "--install", "echo no network; exit 3"], 1, /failed .* no network/],
        [
          ["--app", "./broken.ts", "--base", "HEAD~1", "--install", "true"],
          1,
          /base cannot be measured on bun: .*no data/,
        ],
        [["--app", "./app.ts", "--limit", "much"], 2, /--limit "much" is no percentage/],
      ];
      for (const [given, code, error] of refusals) {
        const ended = await gate(given);
        const line = ended.stderr.split("\n").find((one) => one.startsWith("error: ")) ?? "";
        assert.deepEqual([ended.code, error.test(line)], [code, true], `${given.join(" ")}: ${ended.stderr}`);
      }
      const file = join(site.folder, "comment.md");
      const missing = await gate(["--app", "./other.ts", "--base", "HEAD~2", "--output", file]);
      assert.equal(missing.code, 0, missing.stderr);
      assert.match(missing.stdout, /^Not proven: HEAD~2 has no repo\/other\.ts to hold it against$/m);
      assert.match(readFileSync(file, "utf8"), /^<!-- .* -->\n### – `repo\/other\.ts`: Not proven/);
      const other = await gate(["--app", "./app.ts", "--base", "HEAD~2", "--install", "true", "--json"]);
      assert.equal(other.code, 0, other.stderr);
      const { gate: said } = JSON.parse(other.stdout);
      assert.deepEqual([said.outcome, said.kind], ["not-proven", "other-status"]);
      assert.match(said.changed_replies[0], /GET \/: status is 404, 200 was recorded/);
      assert.deepEqual(scratchOf(site), []);
      assert.equal(await git(root, "status", "--porcelain"), "");
    });
  },
);

toolTest("a program is held against its base from a folder of each, named by hand or by a config", async () => {
  await onSite(async (site) => {
    const root = join(site.folder, "repo");
    const server = (status: number) =>
      `import { createServer } from "node:http";
createServer((_, response) => response.writeHead(${status}).end(process.cwd())).listen(process.env.PORT, "127.0.0.1");
`;
    await makeRepository(root, [{ "server.mjs": server(200) }, { "server.mjs": server(404) }]);
    const inRepository = { ...site, folder: root };
    const command = `'${locateRuntime("node").file}' server.mjs`;
    const told = async (given: readonly string[]) => {
      const { code, stdout, stderr } = await bench(inRepository, ["gate", ...given, "--base", "HEAD~1", "--json"]);
      assert.equal(code, 0, stderr);
      return { ...JSON.parse(stdout).gate, stderr };
    };
    const { kind, changed_replies: [change], stderr } = await told(["--command", command]);
    assert.equal(kind, "other-status", stderr);
    assert.match(change, /GET \/: status is 404, 200 was recorded/, "each revision answers from its own files");
    const config = join(root, "levelfield.config.mjs");
    writeFileSync(config, `export default { command: ${JSON.stringify(command)} };`);
    const configured = await told([]);
    assert.equal(configured.kind, "other-status");
    assert.match(configured.stderr, /^from levelfield\.config\.mjs: command$/m);
    for (
      const [given, error] of [
        [["--command", command, "--port", "3000"], /both cannot listen on port 3000/],
        [["--command", `node ${root}/server.mjs`], /server\.mjs" names the work tree itself/],
        [["--target", "http://127.0.0.1:9"], /"bench gate" takes no --target/],
      ] as const
    ) {
      const { code, stderr } = await bench(inRepository, ["gate", ...given]);
      assert.deepEqual([code, error.test(stderr)], [2, true], stderr);
    }
    assert.deepEqual(scratchOf(site), []);

    const all = await bench(inRepository, ["all", "--quick", "--dry-run"]);
    assert.equal(all.code, 0, all.stderr);
    assert.match(all.stderr, /bench all measures "users" and leaves out command of levelfield\.config\.mjs: bench run/);
  });
});
