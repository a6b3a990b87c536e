import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { curl, withServer } from "../tests/server-client.ts";
import { inTemporaryFolder, runtime, startScript } from "../tests/testing.ts";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const HTTP = 'import { createServer } from "node:http";';
const BUNS = 'export default { port: 3, routes: { "/a": new Response("routed") }, fetch: () => new Response("else") };';

/** Gives a module with a text, next to the packages of this project. */
async function withModule<T>(text: string, work: (file: string) => Promise<T>, name = "app.mjs"): Promise<T> {
  return await inTemporaryFolder(async (folder) => {
    symlinkSync(PACKAGES, join(folder, "node_modules"));
    const file = join(folder, name);
    writeFileSync(file, text);
    return await work(file);
  });
}

/** What `GET /a` of a module is answered. */
const answerOf = (text: string, name?: string) =>
  withModule(text, async (file) => {
    let body = "";
    await withServer(["--module", file], async ({ ready, stop }) => {
      body = (await curl(ready.url, "GET", "/a")).body;
      await stop();
    });
    return body;
  }, name);

/** Why a module is not served. */
const refusalOf = (text: string) =>
  withModule(text, async (file) => {
    const run = startScript("servers/main.ts", "--module", file);
    await run.ended;
    return `${run.stderr()}${run.stdout()}`;
  });

const SERVED: Readonly<Record<string, string>> = {
  "a promise of an app": 'export default Promise.resolve({ fetch: () => new Response("a") });',
  "a fetch function": "export default (request) => new Response(new URL(request.url).pathname.slice(1));",
  "an app beside a helper called open":
    'export const open = () => 7; export default { fetch: () => new Response("a") };',
  "what fetch gets besides the request":
    'export default { fetch: (_, more) => new Response(more === undefined ? "" : "a") };',
  "Express":
    'import express from "express"; const app = express(); app.get("/a", (_, r) => r.send("a")); export default app;',
  "Fastify":
    'import fastify from "fastify"; const app = fastify(); app.get("/a", async () => "a"); export default app;',
  "a promise of Fastify":
    'import fastify from "fastify"; const make = async () => fastify().get("/a", async () => "a"); export default make();',
  "Koa": 'import Koa from "koa"; const app = new Koa(); app.use((c) => { c.body = "a"; }); export default app;',
  "Polka": 'import polka from "polka"; export default polka().get("/a", (_, r) => r.end("a"));',
  "Hono": 'import { Hono } from "hono"; export default new Hono().get("/a", (c) => c.text("a"));',
  "a handler of node:http": 'export default function (req, res) { res.end("a"); }',
  "an arrow that takes request and response": 'export default async (_req, res) => { res.end("a"); };',
  "a server of node:http": `${HTTP} export default createServer((_, r) => r.end("a"));`,
};

for (const [what, text] of Object.entries(SERVED)) {
  test(`${what} is served`, async () => assert.equal(await answerOf(text), "a"));
}

test("CommonJS is served, also what was made from a module with a default", async () => {
  assert.equal(await answerOf('module.exports = { fetch: () => new Response("a") };', "app.cjs"), "a");
  const made = 'exports.__esModule = true; exports.default = { fetch: () => new Response("a") };';
  assert.equal(await answerOf(made, "app.cjs"), "a");
});

test("routes of a default export are served by Bun and refused where nothing serves them", async () => {
  if (runtime.name === "bun") {
    assert.equal(await answerOf(BUNS), "routed");
    const failing = 'export default { error: () => new Response("mine"), fetch() { throw new Error("a"); } };';
    assert.equal(await answerOf(failing), "mine");
  } else {assert.match(
      await refusalOf(BUNS),
      /"unsupported":"it exports \\"routes\\", which Bun alone serves: --runtime bun"/,
    );}
});

test("a module that listens by itself is told so, and others what to write", async () => {
  const native = runtime.name === "node"
    ? `${HTTP} createServer().listen(0);`
    : runtime.name === "deno"
    ? "Deno.serve({ port: 0 }, () => new Response());"
    : "Bun.serve({ port: 0, fetch: () => new Response() });";
  const express = 'import express from "express"; express().listen(0);';
  for (const text of [native, express, `${HTTP} createServer().listen(0);`]) {
    assert.match(await refusalOf(text), /app\.mjs" listens by itself and exports no app: it is a program$/m);
  }
  assert.match(
    await refusalOf("export const app = { fetch: () => new Response() };"),
    /add "export default app" to it$/m,
  );
  assert.match(await refusalOf("export default class { fetch() {} }"), /its default is a class, export "new" of it$/m);
  assert.match(await refusalOf("export const open = (file) => file;"), /opened an app with neither fetch nor listen$/m);
  const thrown = 'class EnvError extends Error { name = "EnvError"; }\n' +
    'throw new EnvError("no:\\n  - PORT\\n", { cause: new Error("inner") });';
  assert.match(await refusalOf(thrown), /^EnvError: no: - PORT; caused by inner$/m);
});
