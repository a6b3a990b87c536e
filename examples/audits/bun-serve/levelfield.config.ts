/** Bun.serve against Node's node:http: https://bun.com/docs/runtime/http/server. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { server: "./server.mjs" },
  request: "GET /",
  // Bun sends a content type.
  ignore: "header:content-type",
  rounds: 6,
  at: { runtime: ["node", "bun"], connections: [50] },
});
