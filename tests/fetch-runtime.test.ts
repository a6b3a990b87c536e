/** How runtimes are fetched: once, by one at a time, whole or not at all. In npm's place stands a program that waits to be let go. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { locateRuntime, PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { inTemporaryFolder, until } from "./testing.ts";

const NODE = locateRuntime("node").file;
const moduleOf = (name: string) => pathToFileURL(join(PROJECT_ROOT, "bench", "host", name)).href;

/** Writes a line for each call, half a package, and the rest once the file `go` is there. */
const NPM = `#!/usr/bin/env -S '${NODE}'
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const [folder, wanted] = [process.env.SITE, process.argv.at(-1)];
appendFileSync(join(folder, "calls"), wanted + "\\n");
if (existsSync(join(folder, "offline"))) {
  console.error("npm error code ENOTFOUND\\nnpm error request failed, reason: getaddrinfo ENOTFOUND");
  process.exit(1);
}
if (process.argv[2] === "view") {
  console.log(JSON.stringify({ versions: ["1.2.9", "1.2.10", "1.3.0"], "dist-tags": { latest: "1.3.0" } }));
  process.exit(0);
}
const prefix = process.argv[process.argv.indexOf("--prefix") + 1];
const name = wanted.slice(0, wanted.lastIndexOf("@"));
const file = join(prefix, "node_modules", name, "bin", "node");
mkdirSync(dirname(file), { recursive: true });
const timer = setInterval(() => {
  if (!existsSync(join(folder, "go"))) return;
  writeFileSync(file, "whole");
  clearInterval(timer);
}, 20);
`;

interface Fetching {
  readonly child: ChildProcess;
  /** It waits for its turn, or has started npm. */
  readonly asked: () => boolean;
  readonly said: Promise<string>;
}

const FETCH = `import { fetchRuntime } from ${JSON.stringify(moduleOf("fetch-runtime.ts"))};
const found = fetchRuntime("node", "1.2.3", process.env.SITE + "/cache");`;

/** What says which versions a text stands for. */
const asking = (text: string) =>
  `import { versionsOf } from ${JSON.stringify(moduleOf("resolve-runtimes.ts"))};
const found = versionsOf("bun", ${JSON.stringify(text)}, process.env.SITE + "/cache").then(String);`;

/** A process that finds something, by default fetches Node 1.2.3, and says what and where it is, or what went wrong. */
function fetching(folder: string, finding = FETCH): Fetching {
  const code = `${finding}
setImmediate(() => console.log("asked"));
console.log(await found.catch(({ message, hint }) => message + "; " + hint));`;
  const child = spawn(NODE, ["--input-type=module", "--eval", code], {
    env: { PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter), SITE: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout!.setEncoding("utf8").on("data", (part: string) => text += part);
  return {
    child,
    asked: () => text.includes("asked"),
    said: once(child, "close").then(() => text.replace("asked\n", "").trim()),
  };
}

const calls = (folder: string) =>
  existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8").trim().split("\n").length : 0;

async function onSite(work: (folder: string) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin", "npm"), NPM);
    chmodSync(join(folder, "bin", "npm"), 0o755);
    await work(folder);
  });
}

test("of two processes one fetches, and both take what it brought", async () => {
  await onSite(async (folder) => {
    const both = [fetching(folder), fetching(folder)];
    await until(() => both.every(({ asked }) => asked()) && calls(folder) > 0);
    writeFileSync(join(folder, "go"), "");
    const said = await Promise.all(both.map(({ said }) => said));
    assert.equal(said[0], said[1]);
    assert.equal(readFileSync(said[0]!, "utf8"), "whole");
    assert.equal(calls(folder), 1);
    assert.equal(await fetching(folder).said, said[0]);
    assert.equal(calls(folder), 1);
  });
});

test("what was stopped half-way is cleared away and fetched anew", async () => {
  await onSite(async (folder) => {
    const stopped = fetching(folder);
    await until(() => calls(folder) > 0);
    stopped.child.kill("SIGKILL");
    await stopped.said;
    assert.deepEqual(readdirSync(join(folder, "cache")).map((name) => name.slice(0, 6)), [".fetch", ".lock"]);
    const again = fetching(folder);
    await until(() => calls(folder) > 1);
    writeFileSync(join(folder, "go"), "");
    assert.equal(readFileSync(await again.said, "utf8"), "whole");
    assert.deepEqual(readdirSync(join(folder, "cache")), ["node-1.2.3"]);
  });
});

test("without a network one line says so, and what to do", async () => {
  await onSite(async (folder) => {
    writeFileSync(join(folder, "offline"), "");
    const said = await fetching(folder).said;
    assert.match(said, /^node 1\.2\.3 could not be fetched: request failed, .*ENOTFOUND; again with a network, or /);
    assert.deepEqual(readdirSync(join(folder, "cache")), []);
  });
});

test("a range or tag is what npm lists, which is asked once and known offline; what it has not is said", async () => {
  await onSite(async (folder) => {
    const said = (text: string) => fetching(folder, asking(text)).said;
    assert.equal(await said("1.2..1.3"), "1.2.10,1.3.0");
    writeFileSync(join(folder, "offline"), "");
    assert.equal(await said("latest"), "1.3.0");
    assert.equal(calls(folder), 1);
    assert.match(await said("canary"), /^npm has no "bun@canary" for this platform; its tags are latest; /);
    assert.match(await said("2"), /^npm has no "bun@2" for this platform; the newest are bun@1\.3\.0$/);
  });
});

test("without a network a range that was never asked for says so, and what to do", async () => {
  await onSite(async (folder) => {
    writeFileSync(join(folder, "offline"), "");
    const said = await fetching(folder, asking("1.2..1.3")).said;
    assert.match(said, /^npm does not say which versions of bun there are: request failed, .*ENOTFOUND; again with a /);
  });
});
