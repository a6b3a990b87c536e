/** Memory of three frameworks under load: https://elysiajs.com/blog/elysia-20, here all on Bun. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: {
    hono: "../framework-starts/programs/hono.mjs",
    "elysia-2": "../framework-starts/programs/elysia-2.mjs",
    fastify: "../framework-starts/programs/fastify.mjs",
  },
  request: "GET /route-24",
  ready: "/route-24",
  ignore: "header:content-type",
  rounds: 6,
  at: { runtime: ["bun"], connections: [50] },
});
