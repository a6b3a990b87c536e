/** Next's standalone server on Node and Bun: https://github.com/oven-sh/bun/issues/34389 and #30317. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { next: "./server.mjs" },
  request: "GET /",
  ready: "/api/ping",
  rounds: 6,
  at: { runtime: ["node", "bun"], connections: [10] },
});
