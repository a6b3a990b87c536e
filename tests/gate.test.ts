/** What a gate refuses, or passes with a note because it cannot be compared. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "../bench/machine/programs.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { git } from "./gate-repository.ts";
import { APP, makeRepository, scratchOf } from "./gate-repository.ts";
import { benchHere } from "./command-line.ts";
import { type Bench, bench, onSite, toolTest } from "./run-bench.ts";

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
        benchHere(site, ["gate", ...given.map((word) => word.replaceAll("./", `./${cwd}/`)), "--runtime", "bun"]);
      const refusals: readonly [given: readonly string[], code: number, error: RegExp][] = [
        [[], 2, /a gate needs one --app, --program or --command/],
        [["--app", "a=./app.ts,b=./other.ts"], 2, /compares one server with its base, not 2: a, b/],
        [["--app", "./app.ts"], 2, /the work tree is "HEAD" itself, unchanged/],
        [["--app", "./app.ts", "--base", "nowhere"], 2, /git knows no revision "nowhere"/],
        [["--app", "./app.ts", "--base=--all"], 2, /revision "--all" begins with a dash/],
        [
          ["--app", "./app.ts", "--base", "HEAD~1"],
          2,
          /revision "HEAD~1" wants other packages: package-lock\.json differs/,
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
    });
  },
);

toolTest(
  "a gate refuses by name what base and yours would not read alike, and what an installation did not build",
  async () => {
    await onSite(async (site) => {
      const root = join(site.folder, "repo");
      const reading = `import { readFileSync } from "node:fs";
const read = (file) => { try { return readFileSync(file, "utf8"); } catch { return ""; } };
const local = read(new URL("local.json", import.meta.url)), shared = process.env.SHARED ? read(process.env.SHARED) : "";
export default { fetch: () => new Response(local === "" && shared === "" ? "a" : "b") };
`;
      const listening = `import { createServer } from "node:http";
import app from "./app.js";
createServer(async (_, reply) => reply.end(await app.fetch().text())).listen(process.env.PORT, "127.0.0.1");
`;
      const project = JSON.stringify({ type: "module", scripts: { postinstall: "node scripts/make.js" } });
      await makeRepository(root, [
        {
          "app.js": reading,
          "config.txt": "1",
          "server.mjs": listening,
          ".gitignore": "local.json\ndist\nnode_modules\n",
          "package.json": project,
        },
        { "config.txt": "2", "template.js": "1" },
      ]);
      const mine = (path: string, text: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      };
      mine("dist/app.js", APP("a", 0));
      const gate = async (...given: readonly string[]) => {
        const words = ["gate", "--base", "HEAD~1", "--runtime", "node", ...given];
        const { code, stderr } = await benchHere({ ...site, folder: root }, words);
        return { code, stderr, error: stderr.split("\n").find((one) => one.startsWith("error: ")) ?? "" };
      };
      const refused = async (code: number, error: RegExp, ...given: readonly string[]) => {
        const ended = await gate(...given);
        assert.deepEqual([ended.code, error.test(ended.error)], [code, true], `${given.join(" ")}: ${ended.stderr}`);
        return ended.stderr;
      };
      const built = ["--app", "./dist/app.js"];
      assert.match(
        await refused(2, /git ignores "dist\/app\.js", so revision "HEAD~1" has none/, ...built),
        /--install/,
      );
      await refused(1, /--install "exit 3" failed/, ...built, "--install", "exit 3");
      await refused(1, /--install "true" made no "dist\/app\.js"/, ...built, "--install", "true");
      process.env["SHARED"] = join(root, "config.txt");
      try {
        await refused(2, /--env SHARED names "config\.txt" of the work tree/, "--app", "./app.js", "--env", "SHARED");
      } finally {
        delete process.env["SHARED"];
      }
      if (findProgram("strace") !== undefined) {
        mine("local.json", "{}");
        const said = await refused(2, /yours reads "local\.json", which git ignores/, "--app", "./app.js");
        assert.match(said, /cp "\$LEVELFIELD_WORK_TREE"\/local\.json local\.json/);
        await refused(2, /yours reads "local\.json", which git ignores/, "--program", "./server.mjs");
        rmSync(join(root, "local.json"));
        mine("node_modules/slug/index.js", "export default 1;");
        await refused(2, /template\.js differs, and "node scripts\/make\.js", which runs/, "--app", "./app.js");
      }
      assert.deepEqual(scratchOf(site), []);
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
});
