/** Memory of three frameworks under load: https://elysiajs.com/blog/elysia-20, here on one runtime at a time. */
import { defineConfig } from "levelfield";

export default defineConfig({
  rounds: 6,
  at: { framework: ["hono", "elysia", "fastify"], runtime: ["bun"] },
});
