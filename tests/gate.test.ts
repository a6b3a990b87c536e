/** What a gate refuses, or passes with a note because it cannot be compared. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../bench/machine/programs.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { APP, commit, git, makeRepository, scratchOf } from "./gate-repository.ts";
import { sha512 } from "./npm-registry.ts";
import { benchHere } from "./command-line.ts";
import { type Bench, bench, siteTest } from "./run-bench.ts";

siteTest(
  "what a gate cannot compare is refused in a line, or passes with a note if nobody is to blame",
  async (site) => {
    const root = join(site.folder, "repo");
    await makeRepository(root, [
      { "app.ts": APP("a", 0) },
      {
        "app.ts": APP("a", 0, 404),
        "other.ts": APP("b", 0),
        "broken.ts": 'throw new Error("no database");',
        "package.json": '{"dependencies":{"hono":"4.0.0"}}',
        "package-lock.json": '{"lockfileVersion":3,"packages":{"":{}}}',
      },
      { "package.json": "{}", "broken.ts": "export default () => new Response('a');" },
    ]);
    const gate = (given: readonly string[], cwd = "repo") =>
      benchHere(site, ["gate", ...given.map((word) => word.replaceAll("./", `./${cwd}/`)), "--runtime", "bun"]);
    const refusals: readonly [given: readonly string[], code: number, error: RegExp][] = [
      [[], 2, /a gate needs one --app, --program or --command/],
      [["--app", "a=./app.ts,b=./other.ts"], 2, /compares one server with its base, not 2: a, b/],
      [["--app", "./app.ts"], 2, /the work tree is "HEAD" itself, unchanged/],
      [["--app", "./app.ts", "--base", "nowhere"], 2, /git knows no revision "nowhere"/],
      [["--app", "./app.ts", "--base=--all"], 2, /revision "--all" begins with a dash/],
      [
        ["--app", "./app.ts", "--base", "HEAD~1"],
        1,
        /--install "npm ci .*" failed in revision "HEAD~1": .*`npm ci` can only install packages when/,
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
    assert.match(missing.stdout, /^Nothing was measured: HEAD~2 has no repo\/other\.ts to hold it against$/m);
    assert.match(readFileSync(file, "utf8"), /^<!-- .* -->\n### – `repo\/other\.ts`: Nothing was measured/);
    const strict = await gate(["--app", "./other.ts", "--base", "HEAD~2", "--strict"]);
    assert.equal(strict.code, 3, strict.stderr);
    const other = await gate(["--app", "./app.ts", "--base", "HEAD~2", "--install", "true", "--json"]);
    assert.equal(other.code, 0, other.stderr);
    const { gate: said } = JSON.parse(other.stdout);
    assert.deepEqual([said.outcome, said.kind], ["not-proven", "other-status"]);
    assert.match(said.changed_replies[0], /GET \/: status is 404, 200 was recorded/);
    assert.deepEqual(scratchOf(site), []);
    assert.equal(await git(root, "status", "--porcelain"), "");
  },
);

siteTest("a gate refuses what only yours has or no installation built, and carries what it is told", async (site) => {
  const root = join(site.folder, "repo");
  await makeRepository(root, [
    { "app.js": APP("a", 0), "config.txt": "1", ".gitignore": ".env\ndist\n", "package.json": '{"type":"module"}' },
    { "config.txt": "2" },
  ]);
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist", "app.js"), APP("a", 0));
  const refused = async (code: number, error: RegExp, ...given: readonly string[]) => {
    const words = ["gate", "--base", "HEAD~1", "--runtime", "node", ...given];
    const ended = await benchHere({ ...site, folder: root }, words);
    const line = ended.stderr.split("\n").find((one) => one.startsWith("error: ")) ?? "";
    assert.deepEqual([ended.code, error.test(line)], [code, true], `${given.join(" ")}: ${ended.stderr}`);
    return ended.stderr;
  };
  const app = ["--app", "./app.js"], built = ["--app", "./dist/app.js"];
  assert.match(await refused(2, /git ignores "dist\/app\.js", so revision "HEAD~1" has none/, ...built), /--install/);
  await refused(1, /--install "exit 3" failed/, ...built, "--install", "exit 3");
  await refused(1, /--install "true" made no "dist\/app\.js"/, ...built, "--install", "true");
  await refused(2, /--carry brings "dist\/app\.js" itself: both would run yours/, ...built, "--carry", "dist");
  process.env["SHARED"] = join(root, "config.txt");
  try {
    await refused(2, /--env SHARED names "config\.txt" of the work tree/, ...app, "--env", "SHARED");
  } finally {
    delete process.env["SHARED"];
  }
  writeFileSync(join(root, ".env"), "ROUNDS=40000\n");
  assert.match(await refused(2, /git ignores "\.env", which a build or a start may read/, ...app), /--carry \.env/);
  const shows = ["--install", "cat .env; exit 3"];
  const said = await refused(1, /failed in revision "HEAD~1": ROUNDS=40000/, ...app, "--carry", ".env", ...shows);
  assert.match(said, /^Carried from your work tree: \.env$/m);
  writeFileSync(join(root, "levelfield.config.mjs"), 'export default { app: "./app.js", carry: [".env", "dist"] };');
  assert.match(await refused(1, /ROUNDS=40000/, ...shows), /^Carried from your work tree: \.env, dist$/m);
  assert.deepEqual(scratchOf(site), []);
});

siteTest("base and yours have the packages that their own lock files pin, each installed for itself", async (site) => {
  const root = join(site.folder, "repo");
  await makeRepository(root, [{
    "app.mjs": 'import { status } from "dep";\nexport default { fetch: () => new Response("a", { status }) };\n',
    ".gitignore": "node_modules\n",
  }]);
  for (const [version, status] of [["1.0.0", 200], ["2.0.0", 404]] as const) {
    const dep = join(site.folder, "package"), file = `dep-${version}.tgz`;
    mkdirSync(dep, { recursive: true });
    writeFileSync(join(dep, "package.json"), JSON.stringify({ name: "dep", version, type: "module", main: "a.js" }));
    writeFileSync(join(dep, "a.js"), `export const status = ${status};\n`);
    const packed = await runToEnd("tar", ["-czf", join(root, file), "package"], site.folder, 600_000);
    assert.equal(packed.code, 0, packed.stderr);
    const [resolved, dependencies] = [`file:${file}`, { dep: `file:${file}` }];
    const integrity = sha512(readFileSync(join(root, file)));
    const packages = { "": { dependencies }, "node_modules/dep": { version, resolved, integrity } };
    await commit(root, version, {
      "package.json": JSON.stringify({ dependencies }),
      "package-lock.json": JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
    });
  }
  const words = ["gate", "--app", "./app.mjs", "--base", "HEAD~1", "--runtime", "node", "--json"];
  const { code, stdout, stderr } = await benchHere({ ...site, folder: root }, words);
  assert.equal(code, 0, stderr);
  const { kind, changed_replies: [change] } = JSON.parse(stdout).gate;
  assert.equal(kind, "other-status", stderr);
  assert.match(change, /GET \/: status is 404, 200 was recorded/);
  assert.match(stderr, /^Installing in your work tree, whose packages are not those of package-lock\.json: npm ci/m);
  assert.equal(await git(root, "status", "--porcelain"), "");
});

siteTest("a program is held against its base from a folder of each, named by hand or by a config", async (site) => {
  const root = join(site.folder, "repo");
  const server = (status: number) =>
    `import { createServer } from "node:http";
createServer((_, response) => response.writeHead(${status}).end(process.cwd())).listen(process.env.PORT, "127.0.0.1");
`;
  await makeRepository(root, [{ "server.mjs": server(200) }, { "server.mjs": server(404) }]);
  const inRepository = { ...site, folder: root };
  const command = `'${locateRuntime("node").file}' server.mjs`;
  const told = async (given: readonly string[], by: Bench = benchHere) => {
    const { code, stdout, stderr } = await by(inRepository, ["gate", ...given, "--base", "HEAD~1", "--json"]);
    assert.equal(code, 0, stderr);
    return { ...JSON.parse(stdout).gate, stderr };
  };
  const { kind, changed_replies: [change], stderr } = await told(["--command", command], bench);
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
    const { code, stderr } = await benchHere(inRepository, ["gate", ...given]);
    assert.deepEqual([code, error.test(stderr)], [2, true], stderr);
  }
  assert.deepEqual(scratchOf(site), []);
});

siteTest(
  "a moved app is found in the base, and what a tree lacks is refused, with --strict by exit 3",
  async (site) => {
    const root = join(site.folder, "repo");
    const app = (status: number) =>
      `// A long remark, so that most of the file stays as it is.\n// ${"and on ".repeat(15)}\n${APP("a", 0, status)}`;
    await makeRepository(root, [{ "app.mjs": app(200), "weights.bin": "1" }]);
    mkdirSync(join(root, "src"));
    await git(root, "mv", "app.mjs", "src/app.mjs");
    await commit(root, "moved", { "src/app.mjs": app(404) });
    const gate = (...given: readonly string[]) =>
      benchHere({ ...site, folder: root }, ["gate", "--base", "HEAD~1", ...given]);
    const moved = await gate("--app", "./src/app.mjs", "--markdown");
    assert.match(moved.stdout, /^### – `src\/app\.mjs`: Nothing was measured: it answers with other statuses than/m);
    assert.match(moved.stdout, /^"HEAD\\?~1" has "src\/app\.mjs" as "app\.mjs"\./m);
    const words = ["--command", `'${locateRuntime("node").file}' src/app.mjs`];
    assert.match((await gate(...words)).stderr, /^"HEAD~1" has "src\/app\.mjs" as "app\.mjs"$/m);
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1\n`;
    await commit(root, "a pointer", { "weights.bin": pointer, ".gitattributes": "*.bin filter=lfs\n" });
    const refused = await gate("--app", "./src/app.mjs");
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, /^error: the work tree has Git LFS pointers in place of "weights\.bin"$/m);
    const file = join(site.folder, "comment.md");
    const strict = await gate("--app", "./src/app.mjs", "--strict", "--json", "--output", file);
    assert.equal(strict.code, 3, strict.stderr);
    const { kind, reason, hint, outcome } = JSON.parse(strict.stdout).gate;
    assert.deepEqual([kind, outcome, hint], ["refused", "not-proven", "git lfs install --local && git lfs pull"]);
    assert.match(
      readFileSync(file, "utf8"),
      /^### – `src\/app\.mjs`: Nothing was measured: the work tree has Git LFS/m,
    );
    assert.match(reason, /weights\.bin/);
    assert.equal((await gate("--app", "./src/app.mjs", "--confirm", "--no-confirm", "--strict")).code, 2);
  },
);

siteTest("functions of two revisions are held against each other by name before anything is measured", async (site) => {
  const root = join(site.folder, "repo");
  const lines = (...functions: readonly string[]) =>
    ["export const inputs = [1, 2];", "export const same = false;", ...functions].join("\n");
  const sound = "export const sum = (n) => n + 1;", old = "export const old = (n) => n;";
  await makeRepository(root, [{ "mine.mjs": lines(sound, old) }]);
  /** What a gate says of functions in the work tree, against the commit. */
  const told = async (text: string, ...given: readonly string[]) => {
    writeFileSync(join(root, "mine.mjs"), text);
    const words = ["gate", "--function", "./mine.mjs", "--runtime", "bun", ...given, "--strict", "--json"];
    const { code, stdout, stderr } = await benchHere({ ...site, folder: root }, words);
    assert.equal(code, 3, stderr);
    return JSON.parse(stdout).gate;
  };
  const other = await told(lines("export const sum = (n) => n + (n > 1 ? 2 : 1);", old));
  assert.deepEqual([other.kind, other.outcome], ["other-results", "not-proven"]);
  assert.deepEqual(other.changed_replies, ["sum of the base gives 3 and sum of yours gives 4 for input 1"]);
  const inputs = await told(lines(sound).replace("[1, 2]", "[1, 3]"));
  assert.deepEqual(inputs.changed_replies, ["inputs differ: the base gives 2 and yours gives 3 for input 1"]);
  const fresh = await told(lines(old, "export const fresh = (n) => n + 1;"), "--call", "fresh");
  assert.deepEqual([fresh.kind, fresh.left_out], ["no-function", ["Not compared: fresh is not in the base yet."]]);
  const iterates = lines(sound.replace("n + 1", "[n].values()"));
  assert.match((await told(iterates)).reason, /^"mine\.mjs" cannot be used: bun: sum: gives an iterator/);
  const waits = "export const sum = (n) => new Promise((resolve) => setTimeout(resolve, 5, n + 1));";
  assert.match((await told(lines(waits), "--call", "sum")).left_out[0], /^Not compared: sum waits/);
  await commit(root, "lazy", { "mine.mjs": lines(sound, "export const lazy = () => [1].values();") });
  const { kind, reason } = await told(lines(sound));
  assert.equal(kind, "refused");
  assert.match(reason, /^"mine\.mjs" of the base cannot be used: bun: lazy: gives an iterator/);
  assert.deepEqual(scratchOf(site), []);
});
