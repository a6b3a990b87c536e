import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folderTest, inTemporaryFolder } from "../../tests/testing.ts";
import { lookAtFolder } from "./look-at-folder.ts";

/** Looks at a folder of these files; its candidates by their words. */
function seen(files: Readonly<Record<string, string>>) {
  return inTemporaryFolder((folder) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { name, candidates } = lookAtFolder(folder);
    return {
      name,
      found: candidates.map((one) => one.kind === "app" ? `app ${one.file}` : `${one.kind} ${one.words}`),
    };
  });
}

const APP = "export default { fetch: () => new Response() };";

test("modules with a default export are apps, those package.json and deno.json name first", async () => {
  assert.deepEqual(await seen({ "src/index.ts": APP, "app.ts": "const a = 1;\nexport { a as default };" }), {
    name: null,
    found: ["app src/index.ts", "app app.ts"],
  });
  const npm = JSON.stringify({ name: "@me/shop", main: "./lib/web.js", dependencies: { koa: "1", hono: "4" } });
  assert.deepEqual(await seen({ "package.json": npm, "app.ts": APP, "lib/web.js": APP }), {
    name: "shop",
    found: ["app lib/web.js", "app app.ts"],
  });
  const exports = { ".": { types: "./a.d.ts", import: "./web.mjs" } };
  assert.deepEqual((await seen({ "package.json": JSON.stringify({ exports }), "web.mjs": APP })).found, [
    "app web.mjs",
  ]);
  assert.deepEqual((await seen({ "deno.json": '{"exports":"./web.ts"}', "web.ts": APP })).found, ["app web.ts"]);
});

test("a module that listens by itself is a program of any runtime", async () => {
  const listens = `${APP}\nrequire("node:http").createServer().listen(3000);`;
  assert.deepEqual((await seen({ "server.js": listens })).found, ["program ./server.js"]);
  assert.deepEqual((await seen({ "server.ts": "Deno.serve(() => new Response());", "deno.json": "{}" })).found, [
    "program ./server.ts",
  ]);
  assert.deepEqual((await seen({ "index.ts": "Bun.serve({});", "bun.lock": "" })).found, ["program ./index.ts"]);
});

test("a script that starts a server is a command: its own words where they are one program's", async () => {
  const start = async (script: string) =>
    (await seen({ "package.json": JSON.stringify({ scripts: { start: script } }) })).found;
  assert.deepEqual(await start("node --enable-source-maps server.js"), ["command node --enable-source-maps server.js"]);
  assert.deepEqual(await start("tsc && node dist/server.js"), ["command npm start --silent"]);
  assert.deepEqual(await start("PORT=3000 node server.js"), ["command npm start --silent"]);
  assert.deepEqual((await seen({ "deno.json": '{"tasks":{"start":"deno run a.ts | tee log"}}' })).found, [
    "command deno task --quiet start",
  ]);
  const local = { "package.json": '{"scripts":{"start":"tsx src/x.ts"}}', "node_modules/.bin/tsx": "" };
  assert.deepEqual((await seen(local)).found, ["command ./node_modules/.bin/tsx src/x.ts"]);
});

test("a start script that runs a file, without words for its runtime, is a program", async () => {
  const start = async (script: string, files: Readonly<Record<string, string>>, more = {}) => {
    const { found } = await seen({ "package.json": JSON.stringify({ scripts: { start: script }, ...more }), ...files });
    return found[0];
  };
  assert.equal(await start("node ./server/www.js", { "server/www.js": "" }), "program ./server/www.js");
  assert.equal(await start("node src/a.js --b", { "src/a.js": "" }), "program ./src/a.js --b");
  assert.equal(await start("bun run src/a.ts", { "src/a.ts": "" }), "program ./src/a.ts");
  assert.equal(await start("node --env-file=.env a.js", { "a.js": "" }), "command node --env-file=.env a.js");
  assert.equal(await start("node dist/a.js", {}), "command node dist/a.js");
  const plugin = { "app.js": "export default async (fastify) => {};", "a.js": "" };
  assert.equal(await start("node a.js", plugin, { dependencies: { fastify: "5" } }), "program ./a.js");
  assert.equal(await start("node a.js", plugin, { dependencies: { hono: "4" } }), "app app.js");
});

test("a folder without any of it, or with torn settings, has no candidate", async () => {
  assert.deepEqual((await seen({ "app.ts": "export const a = 1;", "package.json": "{" })).found, []);
  assert.deepEqual((await seen({ "package.json": "[]", "notes.md": APP })).found, []);
});

folderTest("a package.json that is a pipe is not read", (folder) => {
  const pipe = join(folder, "package.json");
  execFileSync("mkfifo", [pipe]);
  const writer = spawn("sh", ["-c", 'echo \'{"name":"piped"}\' >"$0"', pipe]);
  try {
    assert.equal(lookAtFolder(folder).name, null);
  } finally {
    writer.kill();
  }
});
