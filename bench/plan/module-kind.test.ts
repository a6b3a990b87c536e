import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleKind } from "./module-kind.ts";

const MODULES: readonly (readonly [kind: ReturnType<typeof moduleKind>, text: string])[] = [
  ["app", 'import { Hono } from "hono";\nconst app = new Hono();\nexport default app;'],
  ["app", 'const app = require("express")();\nmodule.exports = app;'],
  ["app", "export async function open() {}"],
  ["program", 'const app = require("express")();\napp.listen(3000);'],
  ["program", 'const f = require("fastify")();\nf.listen({ port: 3000 });'],
  ["program", "Deno.serve(() => new Response());"],
  ["program", 'import { serve } from "@hono/node-server";\nserve({ fetch: app.fetch });'],
  // It may be either, and is tried.
  [null, "if (require.main === module) app.listen(1);\nmodule.exports = app;"],
  [null, 'import "./server.js";'],
  ["suite", "export default { name: 'a', axes: [], server: () => 1, requests() {}, oracle: () => ({}) };"],
  ["suite", "const axes = [];\nexport default defineSuite({ axes, server, requests, oracle, });"],
];

test("a module's source says whether it is an app, a program that listens, or a suite", () => {
  for (const [kind, text] of MODULES) assert.equal(moduleKind(text), kind, text);
});
