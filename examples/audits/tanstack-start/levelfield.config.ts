/** Two versions of TanStack Start: https://tanstack.com/blog/tanstack-start-5x-ssr-throughput. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { before: "./programs/before/server.mjs", after: "./programs/after/server.mjs" },
  request: "GET /page/1",
  // Each version writes its scripts into the page in its own way.
  expect: 200,
  rounds: 4,
  at: { runtime: ["node"], connections: [100] },
});
