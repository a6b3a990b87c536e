/** Hono on Deno and Bun: https://github.com/SaltyAom/bun-http-framework-benchmark, 500 connections. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { hono: "./server.mjs" },
  request: ["GET /", "GET /id/1?name=bun", { method: "POST", path: "/json", body: { hello: "world" } }],
  rounds: 8,
  at: { runtime: ["deno", "bun"], connections: [500] },
});
