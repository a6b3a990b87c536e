/** The same with Elysia 1.4 in place of 2.0. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: {
    hono: "../framework-starts/programs/hono.mjs",
    "elysia-1": "../framework-starts/programs/elysia-1.mjs",
    fastify: "../framework-starts/programs/fastify.mjs",
  },
  request: "GET /route-24",
  ready: "/route-24",
  ignore: "header:content-type",
  rounds: 4,
  at: { runtime: ["bun"], connections: [50] },
});
