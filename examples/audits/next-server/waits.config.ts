/** The wait for a page that fetches, at a low rate, and memory: https://github.com/oven-sh/bun/issues/30317 and #34389. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { next: "./server.mjs" },
  request: "GET /fetched",
  ready: "/api/ping",
  rounds: 6,
  rate: [20],
  rest: "5s",
  at: { runtime: ["node@24.21.0", "bun@1.3.14"], connections: [4] },
});
