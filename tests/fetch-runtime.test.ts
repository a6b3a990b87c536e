/** How runtimes are fetched: once, by one at a time, whole or not at all, from the user's registry. npm is the real one. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { findProgram } from "../bench/machine/programs.ts";
import { fetchRuntime } from "../bench/runtimes/fetch-runtime.ts";
import { versionsIn } from "../bench/runtimes/npm-versions.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { type Registry, sha512, withRegistries } from "./npm-registry.ts";
import { folderTest, inTemporaryFolder, until } from "./testing.ts";

const NODE = locateRuntime("node").file;
const moduleOf = (path: string) => pathToFileURL(join(PROJECT_ROOT, "bench", path)).href;
const npmTest = findProgram("npm") === undefined ? test.skip : test;

/** Fetches Bun 1.2.3 into a cache and gives its path. */
const FETCH = `import { fetchRuntime } from ${JSON.stringify(moduleOf("runtimes/fetch-runtime.ts"))};
const found = fetchRuntime("bun", "1.2.3", process.env.CACHE);`;

/** Gives the versions that a text stands for. */
const asking = (text: string) =>
  `import { versionsOf } from ${JSON.stringify(moduleOf("sources/resolve-runtimes.ts"))};
const found = versionsOf("bun", ${JSON.stringify(text)}, process.env.CACHE).then(String);`;

interface Finding {
  readonly said: Promise<string>;
  readonly kill: () => void;
  readonly isOver: () => boolean;
}

interface Site {
  readonly ours: Registry;
  readonly theirs: Registry;
  /** Ends both registries. */
  readonly close: () => void;
  /** The folder of fetched versions, inside the working folder. */
  readonly cache: string;
  /** Finds something in the working folder and prints where or what it is, or what went wrong. */
  readonly find: (code?: string) => Finding;
}

/** A user whose `.npmrc` names one registry, in a folder of a stranger whose files name another. */
const onSite = (work: (site: Site) => Promise<void>) =>
  inTemporaryFolder((folder) =>
    withRegistries("bun", ["1.2.9", "1.2.3", "1.2.10", "1.3.0"], async (ours, theirs, at, close) => {
      ours.tags["latest"] = theirs.tags["latest"] = "1.3.0";
      const [home, working] = [join(folder, "home"), join(folder, "working")];
      const cache = join(working, ".data", "runtimes");
      for (const each of [home, cache]) mkdirSync(each, { recursive: true });
      writeFileSync(join(home, ".npmrc"), `registry=${at}/ours/\nupdate-notifier=false\nfetch-retries=0\n`);
      writeFileSync(join(working, ".npmrc"), `registry=${at}/theirs/\n@oven:registry=${at}/theirs/\n`);
      const workspaces = [".data/runtimes", ".data/runtimes/*"];
      writeFileSync(join(working, "package.json"), JSON.stringify({ name: "theirs", version: "1.0.0", workspaces }));
      const find = (code = FETCH) => {
        const text = `${code}\nconsole.log(await found.catch(({ message, hint }) => message + "; " + hint));`;
        const child = spawn(NODE, ["--input-type=module", "--eval", text], {
          cwd: working,
          detached: true,
          env: { PATH: process.env["PATH"], HOME: home, CACHE: cache },
          stdio: ["ignore", "pipe", "inherit"],
        });
        let output = "", over = false;
        child.stdout!.setEncoding("utf8").on("data", (part: string) => output += part);
        return {
          said: once(child, "close").then(() => {
            over = true;
            return output.trim();
          }),
          isOver: () => over,
          // Its group: npm is to end, too.
          kill: () => void process.kill(-child.pid!, "SIGKILL"),
        };
      };
      await work({ ours, theirs, close, cache, find });
    })
  );

const bytesAsked = ({ asked }: Registry) => asked.filter((path) => path.endsWith(".tgz")).length;

const siteTest = (name: string, run: Parameters<typeof onSite>[0]) => npmTest(name, () => onSite(run));

siteTest(
  "the registry of the user brings a runtime, whatever the files of the working folder name",
  async ({ ours, theirs, cache, find }) => {
    const brought = await find().said;
    assert.equal(readFileSync(brought, "utf8"), "ours");
    accessSync(brought, constants.X_OK);
    assert.deepEqual(theirs.asked, []);
    assert.equal(bytesAsked(ours), 1);
    assert.deepEqual(readdirSync(cache), ["bun-1.2.3"]);
  },
);

siteTest(
  "bytes that are not those the registry names are refused, and so are bytes without a SHA-512",
  async ({ ours, cache, find }) => {
    ours.integrity = (bytes, to) => to === "pack" ? sha512(bytes) : sha512(Buffer.from("others"));
    assert.match(
      await find().said,
      /^bun 1\.2\.3 could not be fetched: "[^"]*@1\.2\.3" came with other bytes than the registry names: sha512-/,
    );
    ours.integrity = () => null;
    const said = await find(FETCH.replace("1.2.3", "1.2.9")).said;
    assert.match(said, /could not be fetched: the registry names no SHA-512 of "[^"]*@1\.2\.9"; see the versions /);
    assert.deepEqual(readdirSync(cache), []);
  },
);

siteTest("what was stopped half-way is cleared away; of two processes one fetches anew for both", async (site) => {
  const { ours, cache, find } = site;
  const gate = Promise.withResolvers<void>();
  ours.until = gate.promise;
  const stopped = find();
  await until(() => bytesAsked(ours) > 0 || stopped.isOver());
  stopped.kill();
  await stopped.said;
  assert.deepEqual(readdirSync(cache).map((name) => name.slice(0, 6)), [".fetch", ".lock"]);
  const both = [find(), find()];
  await until(() => bytesAsked(ours) > 1 || both.every(({ isOver }) => isOver()));
  gate.resolve();
  const [one, other] = await Promise.all(both.map(({ said }) => said));
  assert.equal(one, other);
  assert.equal(readFileSync(one!, "utf8"), "ours");
  assert.equal(bytesAsked(ours), 2);
  assert.deepEqual(readdirSync(cache), ["bun-1.2.3"]);
});

siteTest(
  "a range or tag is what npm lists, asked once and known offline; without a network a line says so",
  async ({ ours, theirs, cache, close, find }) => {
    assert.equal(await find(asking("1.2..1.3")).said, "1.2.10,1.3.0");
    assert.deepEqual(theirs.asked, []);
    const { length } = ours.asked;
    close();
    assert.equal(await find(asking("latest")).said, "1.3.0");
    assert.equal(ours.asked.length, length);
    assert.match(
      await find(asking("canary")).said,
      /^npm has no "bun@canary" for this platform; its tags are latest; /,
    );
    assert.match(await find(asking("2")).said, /^npm has no "bun@2" for this platform; the newest are bun@1\.3\.0$/);
    const fetched = find(FETCH.replace("1.2.3", "1.2.9").replace("bun", "node"));
    assert.match(await fetched.said, /^node 1\.2\.9 could not be fetched: .*ECONNREFUSED.*; again with a network, or /);
    assert.match(
      await find(asking("1.2..1.3").replace("bun", "node")).said,
      /^npm does not say which versions of node there are: .*ECONNREFUSED.*; again with a /,
    );
    assert.deepEqual(readdirSync(cache), ["bun-versions.json"]);
  },
);

const NO_VERSIONS = "../1.2.3 /opt/bun file:../bun https://localhost/bun.tgz npm:other@1.2.3 git+ssh://a/b".split(" ");

test("an answer of npm that lists a path, an address or a name in place of a version is no answer", () => {
  const answer = (versions: unknown, tags: object) => JSON.stringify({ versions, "dist-tags": tags });
  assert.deepEqual(versionsIn(answer("1.2.3", { latest: "1.2.3" })), {
    versions: ["1.2.3"],
    tags: { latest: "1.2.3" },
  });
  for (const odd of [...NO_VERSIONS, "latest", "1.2", "1.2.3 || 2", "1.2.3\n", "01.2.3", "", "1.2.3\u202e"]) {
    for (const text of [answer(["1.2.3", odd], {}), answer(["1.2.3"], { canary: odd })]) {
      assert.throws(() => versionsIn(text), { message: /^"[ -~]*" in its answer is no version$/ }, text);
    }
  }
  for (const text of ["", "null", "{}", '{"versions":[1],"dist-tags":{}}']) {
    assert.throws(() => versionsIn(text), { message: "its answer lists none" }, text);
  }
});

folderTest("nothing but a version is fetched, whoever names it", async (folder) => {
  for (const odd of NO_VERSIONS) {
    await assert.rejects(fetchRuntime("bun", odd, join(folder, "cache")), /is no version of bun$/, odd);
  }
  assert.ok(!existsSync(join(folder, "cache")));
});
