/** One program of node:http on both runtimes. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { server: "./node-http.mjs" },
  request: "GET /",
  rounds: 4,
  at: { runtime: ["node", "bun"], connections: [50] },
});
