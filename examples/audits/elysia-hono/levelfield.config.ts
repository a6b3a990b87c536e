/** Elysia against Hono, both on Bun: https://github.com/SaltyAom/bun-http-framework-benchmark, 500 connections. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { elysia: "../elysia-bun/elysia.mjs", hono: "../hono-deno/server.mjs" },
  request: ["GET /", "GET /id/1?name=bun", { method: "POST", path: "/json", body: { hello: "world" } }],
  // One sends "text/plain" with a charset, one an ETag with its text.
  ignore: ["header:content-type", "header:etag"],
  rounds: 6,
  at: { runtime: ["bun"], connections: [500] },
});
