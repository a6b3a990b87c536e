/** oRPC and tRPC over HTTP: https://github.com/middleapi/orpc/pull/2050. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { orpc: "./programs/orpc.mjs", trpc: "./programs/trpc.mjs" },
  request: "GET /call",
  // Each wraps its reply in its own way.
  expect: 200,
  rounds: 4,
  at: { runtime: ["node"], connections: [10] },
});
